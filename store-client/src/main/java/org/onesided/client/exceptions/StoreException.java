package org.onesided.client.exceptions;

/**
 * An operation failed. The message is one line with the event, the key, the server, and the remedy.
 */
public abstract sealed class StoreException extends RuntimeException permits
    StoreAccessException,
    StoreBatchException,
    StoreClosedException,
    StoreConflictException,
    StoreConnectException,
    StoreDeadlineException,
    StoreDisconnectedException,
    StoreFullException,
    StoreLimitException,
    StoreReadOnlyException,
    StoreStorageException,
    StoreValueException
{
    private static final long serialVersionUID = 1L;

    /** What happened, without its context. */
    private final String reason;

    /** The key in printable form, or null. */
    private final String key;

    /** The server's host and port, or null. */
    private final String server;

    /** Whether a write may have taken effect. */
    private final WriteFate writeFate;

    StoreException(final String message, final FailureContext context, final Throwable cause)
    {
        super(context.describe(message), cause);
        reason = message;
        key = context.key();
        server = context.server();
        writeFate = context.writeFate();
    }

    /**
     * @return what happened, without its context.
     */
    public String reason()
    {
        return reason;
    }

    /**
     * @return the key in printable form, shortened if it is long; null if no key was concerned.
     */
    public String key()
    {
        return key;
    }

    /**
     * @return host and port of the server, or null if none was concerned.
     */
    public String server()
    {
        return server;
    }

    /**
     * @return whether the write that failed may have taken effect; {@link WriteFate#NONE} for other operations.
     */
    public WriteFate writeFate()
    {
        return writeFate;
    }
}
