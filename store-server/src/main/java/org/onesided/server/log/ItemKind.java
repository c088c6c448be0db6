package org.onesided.server.log;

/**
 * What an item of an entry tells. The code is stored, so it never changes its meaning. A version that does not know a
 * code refuses the log, so a new kind needs no new format of entries.
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
    VALUE_PART(5),
    /**
     * Records leave to make room. No session. The body is {@link #FOR_HEAP} or {@link #FOR_INDEX}, 8 bytes, and then
     * for each record the hash of its key and its version, 8 bytes each. A record that has another version by now, or
     * is not there any more, is left out.
     */
    EVICT(6),
    /**
     * The leader has granted no lease for so long that none is held any more, and grants none in this term. If nothing
     * follows in its term, the next leader need not wait. The last item of its entry. No session, and no body.
     */
    RELEASE(7);

    /** Length of what stands before the piece in the body of a {@link #VALUE_PART}. */
    public static final int PART_HEADER_LENGTH = 3 * Long.BYTES;
    /** Length of what stands before the records in the body of an {@link #EVICT}. */
    public static final int EVICT_HEADER_LENGTH = Long.BYTES;
    /** Length of what names a record there. */
    public static final int EVICTED_LENGTH = 2 * Long.BYTES;
    /** Of an {@link #EVICT} that makes room in the heap. */
    public static final long FOR_HEAP = 1;
    /** Of an {@link #EVICT} that makes room in the index, in the chain of a key. */
    public static final long FOR_INDEX = 2;

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
