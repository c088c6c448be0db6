package org.onesided.client.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * A key, a value, or the room for a value has a length or content that is out of range; nothing changed.
 */
public final class StoreLimitException extends StoreException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     */
    public StoreLimitException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     * @param cause   of the failure, or null.
     */
    public StoreLimitException(final String message, final FailureContext context, final @Nullable Throwable cause)
    {
        super(message, context, cause);
    }
}
