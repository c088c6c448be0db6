package org.onesided.server.operating;

/**
 * What an operator wants cannot be done.
 */
public final class RefusedOperationException extends Exception
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message why, in one line.
     */
    public RefusedOperationException(final String message)
    {
        super(message);
    }
}
