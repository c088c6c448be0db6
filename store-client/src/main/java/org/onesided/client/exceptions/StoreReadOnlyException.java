package org.onesided.client.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * The client's token or certificate allows it to look up only, and it asked for a change. Nothing changed. Lookups,
 * scans and statistics work.
 */
public final class StoreReadOnlyException extends StoreException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     */
    public StoreReadOnlyException(final String message, final FailureContext context)
    {
        this(message, context, null);
    }

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     * @param cause   of the failure, or null.
     */
    public StoreReadOnlyException(final String message, final FailureContext context, final @Nullable Throwable cause)
    {
        super(message, context, cause);
    }
}
