package org.onesided.server.backup;

/**
 * A backup cannot be used, or not be restored. The message says in one line why.
 */
public final class BackupException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    BackupException(final String message)
    {
        super(message);
    }

    BackupException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    static BackupException damaged(final String name, final long offset, final String what)
    {
        return new BackupException("backup is damaged: file=" + name + " offset=" + offset + " cause=" + what);
    }
}
