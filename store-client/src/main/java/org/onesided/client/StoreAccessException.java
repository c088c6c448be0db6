package org.onesided.client;

/**
 * The server refused the client's credentials.
 */
public final class StoreAccessException extends StoreException
{
    private static final long serialVersionUID = 1L;

    StoreAccessException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    StoreAccessException(final String message, final FailureContext context, final Throwable cause)
    {
        super(message, context, cause);
    }
}
