package org.onesided.client.exceptions;

/**
 * Names of operations, as failures show them.
 */
public final class Operation
{
    /** A session connects. */
    public static final String CONNECT = "connect";
    /** A lookup. */
    public static final String GET = "get";
    /** Many lookups together. */
    public static final String GET_ALL = "get-all";
    /** A put. */
    public static final String PUT = "put";
    /** Many puts together. */
    public static final String PUT_ALL = "put-all";
    /** A delete. */
    public static final String DELETE = "delete";
    /** Many deletes together. */
    public static final String DELETE_ALL = "delete-all";
    /** An addition to a number. */
    public static final String INCREMENT = "increment";
    /** An addition to the end of a value. */
    public static final String APPEND = "append";
    /** A change of the time when a key expires. */
    public static final String TOUCH = "touch";
    /** A question when a key expires. */
    public static final String TTL = "ttl";
    /** A lookup and a write that depends on it. */
    public static final String UPDATE = "update";
    /** A lookup without a value. */
    public static final String CONTAINS = "contains";
    /** A scan of all pairs. */
    public static final String SCAN = "scan";
    /** A query of counters. */
    public static final String STATISTICS = "statistics";
    /** Filling the mirror. */
    public static final String WARM_UP = "warm-up";
    /** A turn of the asynchronous view. */
    public static final String POLL = "poll";
    /** A copy of the whole table. */
    public static final String BACKUP = "backup";
    /** A function of the application that uses a session. */
    public static final String WITH_SESSION = "with-session";

    private Operation()
    {
    }

    /**
     * Tells what became of the write where an operation fails before anything was sent.
     *
     * @param operation by its name.
     * @return {@link WriteFate#NOT_APPLIED} for a write, {@link WriteFate#NONE} for other operations.
     */
    public static WriteFate unsentFate(final String operation)
    {
        final boolean isWrite =
            operation.equals(PUT) || operation.equals(PUT_ALL) || operation.equals(DELETE) ||
            operation.equals(DELETE_ALL) || operation.equals(INCREMENT) || operation.equals(APPEND) ||
            operation.equals(TOUCH) || operation.equals(UPDATE);
        return isWrite ? WriteFate.NOT_APPLIED : WriteFate.NONE;
    }
}
