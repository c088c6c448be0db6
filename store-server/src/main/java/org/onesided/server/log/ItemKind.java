package org.onesided.server.log;

/**
 * What an item of an entry tells. The code is stored, so it never changes its meaning.
 */
public enum ItemKind
{
    /**
     * A shard begins to propose: pieces of long values before it are nobody's. No session. The body is the time to
     * live, in milliseconds, of keys whose puts say nothing about it, 8 bytes; 0 for ever.
     */
    BEGIN(1),
    /** A session may write from now on. No body. */
    OPEN_SESSION(2),
    /** A session has ended, and its answers are forgotten. No body. */
    END_SESSION(3),
    /** A request of a session that changes the table. The body is its message. */
    WRITE(4),
    /**
     * A piece of a long value, whose WRITE follows the last piece. The body is the number of the request, the offset of
     * the piece and the length of the whole value, 8 bytes each, and then the piece.
     */
    VALUE_PART(5);

    /** Length of what stands before the piece in the body of a {@link #VALUE_PART}. */
    public static final int PART_HEADER_LENGTH = 3 * Long.BYTES;

    private static final ItemKind[] KINDS = values();

    private final int code;

    ItemKind(final int code)
    {
        this.code = code;
    }

    /**
     * @return the code that is stored.
     */
    public int code()
    {
        return code;
    }

    /**
     * @param code that was stored.
     * @return its kind, or null if this version does not know it.
     */
    public static ItemKind of(final int code)
    {
        return code >= 1 && code <= KINDS.length ? KINDS[code - 1] : null;
    }
}
