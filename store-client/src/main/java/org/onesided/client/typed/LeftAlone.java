package org.onesided.client.typed;

/**
 * Thrown by a function of an update, to end it where there is nothing left to do: updates otherwise write what the
 * function returns.
 */
final class LeftAlone extends RuntimeException
{
    static final LeftAlone INSTANCE = new LeftAlone();

    private static final long serialVersionUID = 1;

    private LeftAlone()
    {
        super("", null, false, false);
    }
}
