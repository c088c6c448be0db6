package org.onesided.client.exceptions;

/**
 * The key's present value does not allow the write. An increment fails if the value is no number or the sum exceeds 64
 * bits, an append if the value would get too long. Nothing changed.
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
