package org.onesided.client.jcache;

import org.jspecify.annotations.Nullable;

/**
 * What an operation makes of an entry.
 *
 * @param kind  of change.
 * @param value to store, or null.
 * @param <V>   type of the values.
 */
record Verdict<V>(Kind kind, @Nullable V value)
{
    /** Kinds of changes. */
    enum Kind
    {
        /** None. */
        LEAVE,
        /** The entry was looked up. */
        ACCESS,
        /** It gets a value. */
        STORE,
        /** It is removed, if it is there. */
        REMOVE
    }

    static <V> Verdict<V> leave()
    {
        return new Verdict<>(Kind.LEAVE, null);
    }

    static <V> Verdict<V> access()
    {
        return new Verdict<>(Kind.ACCESS, null);
    }

    static <V> Verdict<V> store(final V value)
    {
        return new Verdict<>(Kind.STORE, value);
    }

    static <V> Verdict<V> remove()
    {
        return new Verdict<>(Kind.REMOVE, null);
    }
}
