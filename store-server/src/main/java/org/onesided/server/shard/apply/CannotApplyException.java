package org.onesided.server.shard.apply;

/**
 * A committed entry of a shard's log cannot be applied, so the shard cannot go on: its table would be another one than
 * the log says.
 */
public final class CannotApplyException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /**
     * @param message what cannot be applied, and why.
     */
    public CannotApplyException(final String message)
    {
        super(message);
    }
}
