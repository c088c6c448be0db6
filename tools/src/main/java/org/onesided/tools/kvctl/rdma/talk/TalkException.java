package org.onesided.tools.kvctl.rdma.talk;

/**
 * A conversation with a peer did not take place, or ended early. The message is one line for the person at the
 * keyboard.
 */
public final class TalkException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** What to tell the shell. */
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
     * @return what kind of failure it is.
     */
    public Kind kind()
    {
        return kind;
    }

    /**
     * What a failure means to who called.
     */
    public enum Kind
    {
        /** A number cannot be used with this device. */
        USAGE,
        /** No peer, or not one that speaks the same protocol. */
        NOT_CONNECTED,
        /** The peer did not do its part in time, or is gone. */
        DEADLINE,
        /** A request failed. */
        FAILED,
        /** This side was told to stop. */
        INTERRUPTED
    }
}
