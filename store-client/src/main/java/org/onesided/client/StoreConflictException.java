package org.onesided.client;

/**
 * A condition of a write did not hold; nothing changed.
 */
public final class StoreConflictException extends StoreException
{
    private static final long serialVersionUID = 1L;

    StoreConflictException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    StoreConflictException(final String message, final FailureContext context, final Throwable cause)
    {
        super(message, context, cause);
    }
}
