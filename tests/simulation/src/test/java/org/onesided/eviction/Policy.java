package org.onesided.eviction;

/** A cache of records, of which a simulation asks what it holds. */
interface Policy
{
    /** Whether the cache holds the record of a key; changes nothing. */
    boolean contains(int key);

    /** A client reports that it found the record of a key; it may be gone since. */
    void report(int key);

    /** A client puts the record of a key that it missed. */
    void put(int key);
}
