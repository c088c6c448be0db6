package org.onesided.client.session;

/**
 * The deadline passed while a completion or an answer was awaited; translated before it reaches a caller.
 */
public final class DeadlinePassedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    DeadlinePassedException()
    {
        super("deadline passed", null, false, false);
    }
}
