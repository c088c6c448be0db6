package org.onesided.client.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * A condition of a write did not hold; nothing changed.
 */
public final class StoreConflictException extends StoreException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     */
    public StoreConflictException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     * @param cause   of the failure, or null.
     */
    public StoreConflictException(final String message, final FailureContext context, final @Nullable Throwable cause)
    {
        super(message, context, cause);
    }
}
