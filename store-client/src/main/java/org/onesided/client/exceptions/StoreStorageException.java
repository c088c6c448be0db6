package org.onesided.client.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * The server keeps its data on a disk, and that disk is full or has failed; nothing changed. Lookups still work. The
 * server accepts writes again by itself once a full disk has room.
 */
public final class StoreStorageException extends StoreException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     */
    public StoreStorageException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     * @param cause   of the failure, or null.
     */
    public StoreStorageException(final String message, final FailureContext context, final @Nullable Throwable cause)
    {
        super(message, context, cause);
    }
}
