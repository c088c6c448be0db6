package org.onesided.server;

/**
 * The server could not start. The message says in one line why, and what to do about it.
 */
public final class ServerException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message one line.
     */
    public ServerException(final String message)
    {
        super(message);
    }

    /**
     * @param message one line.
     * @param cause   what made it fail.
     */
    public ServerException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
