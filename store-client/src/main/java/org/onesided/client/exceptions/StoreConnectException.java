package org.onesided.client.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * No session could be opened: nobody listens there, the listener is no onesided server of this version, the server has
 * no room, or the device cannot be used.
 */
public final class StoreConnectException extends StoreException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     */
    public StoreConnectException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     * @param cause   of the failure, or null.
     */
    public StoreConnectException(final String message, final FailureContext context, final @Nullable Throwable cause)
    {
        super(message, context, cause);
    }
}
