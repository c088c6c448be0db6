package org.onesided.client.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * The client or session was closed, before or during the operation.
 */
public final class StoreClosedException extends StoreException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     */
    public StoreClosedException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     * @param cause   of the failure, or null.
     */
    public StoreClosedException(final String message, final FailureContext context, final @Nullable Throwable cause)
    {
        super(message, context, cause);
    }
}
