package org.onesided.client;

/**
 * The deadline of the operation passed.
 */
public final class StoreDeadlineException extends StoreException
{
    private static final long serialVersionUID = 1L;

    StoreDeadlineException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    StoreDeadlineException(final String message, final FailureContext context, final Throwable cause)
    {
        super(message, context, cause);
    }
}
