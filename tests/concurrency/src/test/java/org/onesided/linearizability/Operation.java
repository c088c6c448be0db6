package org.onesided.linearizability;

/**
 * What a client did to a key, and what came of it.
 *
 * @param key      number of the key.
 * @param kind     what was done.
 * @param fate     whether it took effect; lookups that failed are not recorded.
 * @param session  who did it.
 * @param value    of a put or get, {@link #ABSENT}, or {@link #CORRUPT}; of others {@link #PRESENT}, ABSENT, or
 *                 {@link #ANY} where it is not known.
 * @param version  of the record or the delete, or {@link #NO_VERSION}.
 * @param invokeNs when it began.
 * @param returnNs when it had ended; of no meaning for a write of unknown fate.
 */
record Operation(
    int key, Kind kind, Fate fate, int session, long value, long version, long invokeNs, long returnNs)
{
    /** There is no such key. */
    static final long ABSENT = 0;
    /** Bytes that nobody can have put. */
    static final long CORRUPT = -1;
    /** The key was there, with whatever value. */
    static final long PRESENT = 1;
    /** The key was there or was not. */
    static final long ANY = 2;
    /** The client was not told of the version. */
    static final long NO_VERSION = 0;

    /** What can be done. */
    enum Kind
    {
        /** Looks a value up. */
        GET,
        /** Asks whether the key is there. */
        CONTAINS,
        /** Gives the key a value that no other put gives to any key. */
        PUT,
        /** Removes the key, and says whether it was there. */
        DELETE
    }

    /** Whether it took effect. */
    enum Fate
    {
        /** It did, before it ended. */
        DONE,
        /** Nobody knows: it may have, may do so yet, or never will. */
        UNKNOWN,
        /** It was reported not to have had any effect, ever. */
        NOT_APPLIED
    }

    boolean isWrite()
    {
        return kind == Kind.PUT || kind == Kind.DELETE;
    }

    /** When a write must have taken effect, if it must; or a lookup had ended. */
    long endNs()
    {
        return fate == Fate.DONE ? returnNs : Long.MAX_VALUE;
    }

    Operation withValue(final long other)
    {
        return new Operation(key, kind, fate, session, other, version, invokeNs, returnNs);
    }
}
