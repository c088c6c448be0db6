package org.onesided.client;

/**
 * The client or session was closed, before or during the operation.
 */
public final class StoreClosedException extends StoreException
{
    private static final long serialVersionUID = 1L;

    StoreClosedException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    StoreClosedException(final String message, final FailureContext context, final Throwable cause)
    {
        super(message, context, cause);
    }
}
