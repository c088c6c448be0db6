package org.onesided.tools.kvctl.rdma.talk;

/**
 * A conversation with a peer failed or ended early. The message is one line for the user.
 */
public final class TalkException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** Kind of the failure. */
    private final Kind kind;

    TalkException(final Kind kind, final String message)
    {
        this(kind, message, null);
    }

    TalkException(final Kind kind, final String message, final Throwable cause)
    {
        super(message, cause);
        this.kind = kind;
    }

    /**
     * @return kind of the failure.
     */
    public Kind kind()
    {
        return kind;
    }

    /**
     * What a failure means for the caller.
     */
    public enum Kind
    {
        /** The device cannot use a number. */
        USAGE,
        /** The peer is missing or speaks another protocol. */
        NOT_CONNECTED,
        /** The peer did not answer in time, or is gone. */
        DEADLINE,
        /** A request failed. */
        FAILED,
        /** The process was told to stop. */
        INTERRUPTED
    }
}
