package com.example.books;

import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

/** Looks books up where it takes long. Spring calls it only for those that the store does not have. */
@Service
public class Library
{
    @Cacheable("books")
    public Book find(final String isbn)
    {
        System.out.println("looking for " + isbn);
        return new Book(isbn, "Title of " + isbn);
    }

    @CacheEvict(cacheNames = "books", allEntries = true)
    public void forgetAll()
    {
        System.out.println("forgetting all");
    }
}
