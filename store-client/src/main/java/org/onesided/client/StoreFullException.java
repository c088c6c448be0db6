package org.onesided.client;

/**
 * The store has no room for the value; nothing changed.
 */
public final class StoreFullException extends StoreException
{
    private static final long serialVersionUID = 1L;

    StoreFullException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    StoreFullException(final String message, final FailureContext context, final Throwable cause)
    {
        super(message, context, cause);
    }
}
