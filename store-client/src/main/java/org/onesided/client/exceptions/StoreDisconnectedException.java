package org.onesided.client.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * The session was lost during the operation, and it could not be finished in another one.
 */
public final class StoreDisconnectedException extends StoreException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     */
    public StoreDisconnectedException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     * @param cause   of the failure, or null.
     */
    public StoreDisconnectedException(
        final String message, final FailureContext context, final @Nullable Throwable cause)
    {
        super(message, context, cause);
    }
}
