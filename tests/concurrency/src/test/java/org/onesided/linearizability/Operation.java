package org.onesided.linearizability;

/**
 * What a client did to a key, and what came of it.
 *
 * @param key      number of the key.
 * @param kind     what was done.
 * @param fate     whether it took effect; lookups that failed are not recorded.
 * @param session  who did it.
 * @param value    of a put or lookup, {@link #ABSENT}, or {@link #CORRUPT}; of ADD and COUNT a count; of others
 *                 {@link #PRESENT}, ABSENT, or {@link #ANY} where it is not known.
 * @param version  of the record or the delete, or {@link #NO_VERSION}.
 * @param invokeNs when it began.
 * @param returnNs when it had ended; of no meaning for a write of unknown fate.
 * @param expected value that a write was to find, or has found: one that was put, ABSENT, PRESENT, or ANY.
 * @param ttlNs    for how long the key lives after a put or touch, or {@link #FOR_EVER}, or {@link #KEEP}; of TTL, what
 *                 was left of that.
 */
record Operation(
    int key,
    Kind kind,
    Fate fate,
    int session,
    long value,
    long version,
    long invokeNs,
    long returnNs,
    long expected,
    long ttlNs)
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
    /** The key does not expire. */
    static final long FOR_EVER = 0;
    /** The key expires when it would have anyway. */
    static final long KEEP = -1;

    /** What can be done. */
    enum Kind
    {
        /** Looks a value up, by READ or by request. */
        GET,
        /** Asks whether the key is there. */
        CONTAINS,
        /** Gives the key a value that no other put gives to any key. */
        PUT,
        /** Removes the key, and says whether it was there. */
        DELETE,
        /** Finds another version than a write was to find, or ABSENT. */
        MEET,
        /** Adds one to what is counted under the key, and tells the new count. */
        ADD,
        /** Looks up how many were added. */
        COUNT,
        /** Looks a value up by request. */
        ASK,
        /** Gives a key that is there another time to live, and says whether it was. */
        TOUCH,
        /** Asks how long the key lives, or whether it is there. */
        TTL
    }

    Operation(
        final int key,
        final Kind kind,
        final Fate fate,
        final int session,
        final long value,
        final long version,
        final long invokeNs,
        final long returnNs)
    {
        this(key, kind, fate, session, value, version, invokeNs, returnNs, ANY);
    }

    Operation(
        final int key,
        final Kind kind,
        final Fate fate,
        final int session,
        final long value,
        final long version,
        final long invokeNs,
        final long returnNs,
        final long expected)
    {
        this(key, kind, fate, session, value, version, invokeNs, returnNs, expected, FOR_EVER);
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
        return kind == Kind.PUT || kind == Kind.DELETE || kind == Kind.TOUCH;
    }

    /** Whether it tells a value that it found. */
    boolean isLookup()
    {
        return kind == Kind.GET || kind == Kind.ASK;
    }

    /** Whether the key expires some time after it. */
    boolean limitsLife()
    {
        return isWrite() && ttlNs > 0;
    }

    /** When a write must have taken effect, if it must; or a lookup had ended. */
    long endNs()
    {
        return fate == Fate.DONE ? returnNs : Long.MAX_VALUE;
    }

    /** Whether a write was to find a certain value. */
    boolean expectsValue()
    {
        return isWrite() && expected > ANY;
    }

    /** Whether a write may take effect in a state: ABSENT or some value. */
    boolean mayFollow(final long state)
    {
        return expected == ANY || (expected == PRESENT ? state != ABSENT : state == expected);
    }

    Operation withValue(final long other)
    {
        return new Operation(key, kind, fate, session, other, version, invokeNs, returnNs, expected, ttlNs);
    }

    /** The same write without what it was to find. */
    Operation unconditional()
    {
        return new Operation(key, kind, fate, session, value, version, invokeNs, returnNs, ANY, ttlNs);
    }

    /** The lookup that a {@link Kind#MEET} stands for, given the value that has its version; null if none is known. */
    Operation asLookup(final Long known)
    {
        return new Operation(key, value == ABSENT || known != null ? Kind.ASK : Kind.CONTAINS, fate, session,
            value == ABSENT || known == null ? value : known, known == null ? NO_VERSION : version, invokeNs, returnNs);
    }
}
