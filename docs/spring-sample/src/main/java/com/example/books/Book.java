package com.example.books;

import java.io.Serializable;

/** What the cache holds. */
public record Book(String isbn, String title) implements Serializable
{
}
