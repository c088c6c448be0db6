package com.example.books;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;

/** Looks a book up twice, empties the cache, and looks it up again. */
@SpringBootApplication
@EnableCaching
public class Books
{
    public static void main(final String[] args)
    {
        SpringApplication.run(Books.class, args).close();
    }

    @Bean
    CommandLineRunner demonstration(final Library library)
    {
        return (args) ->
        {
            library.forgetAll();
            System.out.println(library.find("0-201"));
            System.out.println(library.find("0-201"));
            library.forgetAll();
            System.out.println(library.find("0-201"));
        };
    }
}
