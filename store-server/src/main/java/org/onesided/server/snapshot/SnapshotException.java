package org.onesided.server.snapshot;

/**
 * A snapshot cannot be used. The message says in one line why, and names the file.
 */
public final class SnapshotException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason
    {
        /** The file does not hold what was written to it, or not all of it. */
        DAMAGED,
        /** The file cannot be read. */
        UNREADABLE,
        /** A newer version wrote it. */
        NEWER_FORMAT,
        /** It is of another table or shard. */
        FOREIGN
    }

    private final Reason reason;

    SnapshotException(final Reason reason, final String message)
    {
        super(message);
        this.reason = reason;
    }

    SnapshotException(final Reason reason, final String message, final Throwable cause)
    {
        super(message, cause);
        this.reason = reason;
    }

    /**
     * @return why.
     */
    public Reason reason()
    {
        return reason;
    }

    /** Whether an older snapshot may be good where this one is not. */
    boolean isOfThisFile()
    {
        return reason == Reason.DAMAGED || reason == Reason.UNREADABLE;
    }
}
