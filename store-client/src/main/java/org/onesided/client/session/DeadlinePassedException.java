package org.onesided.client.session;

/**
 * The deadline passed during a wait for a completion or an answer. It is translated before it reaches a caller.
 */
public final class DeadlinePassedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    DeadlinePassedException()
    {
        super("deadline passed", null, false, false);
    }
}
