package org.onesided.client;

/**
 * The operations' names, as failures show them.
 */
final class Operation
{
    static final String CONNECT = "connect";
    static final String GET = "get";
    static final String GET_ALL = "get-all";
    static final String PUT = "put";
    static final String PUT_ALL = "put-all";
    static final String DELETE = "delete";
    static final String CONTAINS = "contains";
    static final String SCAN = "scan";
    static final String STATISTICS = "statistics";
    static final String WARM_UP = "warm-up";
    /** A turn of the asynchronous view. */
    static final String POLL = "poll";
    /** A function gets a session, whatever it does with it. */
    static final String WITH_SESSION = "with-session";

    private Operation()
    {
    }

    /** What became of the write, if it is one, where an operation fails before anything was sent. */
    static WriteFate unsentFate(final String operation)
    {
        final boolean isWrite =
            operation.equals(PUT) || operation.equals(PUT_ALL) || operation.equals(DELETE);
        return isWrite ? WriteFate.NOT_APPLIED : WriteFate.NONE;
    }
}
