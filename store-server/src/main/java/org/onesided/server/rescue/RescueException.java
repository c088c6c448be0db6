package org.onesided.server.rescue;

/**
 * A member's directory cannot be rescued. The message says in one line why, and what to do about it.
 */
public final class RescueException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RescueException(final String message)
    {
        super(message);
    }

    RescueException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
