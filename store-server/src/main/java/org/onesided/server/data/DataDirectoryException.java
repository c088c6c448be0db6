package org.onesided.server.data;

/**
 * A data directory cannot be used. The message says in one line why, and what to do about it.
 */
public final class DataDirectoryException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    DataDirectoryException(final String message)
    {
        super(message);
    }

    DataDirectoryException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
