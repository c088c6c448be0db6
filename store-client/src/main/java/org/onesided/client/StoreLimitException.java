package org.onesided.client;

/**
 * A key, a value, or the room for a value has a length or content that is out of range; nothing changed.
 */
public final class StoreLimitException extends StoreException
{
    private static final long serialVersionUID = 1L;

    StoreLimitException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    StoreLimitException(final String message, final FailureContext context, final Throwable cause)
    {
        super(message, context, cause);
    }
}
