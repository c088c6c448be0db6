package org.onesided.client.exceptions;

/**
 * The key's present value does not allow the write: an increment of what is no number or beyond 64 bits, or an append
 * to a value that would get too long. Nothing changed.
 */
public final class StoreValueException extends StoreException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message what happened, and the way out.
     * @param context what the operation was about.
     */
    public StoreValueException(final String message, final FailureContext context)
    {
        super(message, context, null);
    }
}
