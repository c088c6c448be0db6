package org.onesided.client;

/**
 * The session was lost during the operation, and it could not be finished in another one.
 */
public final class StoreDisconnectedException extends StoreException
{
    private static final long serialVersionUID = 1L;

    StoreDisconnectedException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    StoreDisconnectedException(final String message, final FailureContext context, final Throwable cause)
    {
        super(message, context, cause);
    }
}
