package org.onesided.verbs;

/**
 * A thread that was told to stop did not end in time: what it uses must not be freed.
 */
public final class StillRunningException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param thread what it does instead, as {@link ThreadEnd#await} tells.
     */
    public StillRunningException(final String thread)
    {
        super(thread);
    }
}
