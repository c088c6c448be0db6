package org.onesided.verbs;

/**
 * A thread did not stop in time, so the memory that it uses must not be freed.
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
