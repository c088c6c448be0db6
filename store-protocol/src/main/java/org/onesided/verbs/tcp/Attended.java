package org.onesided.verbs.tcp;

/**
 * An object that the progress thread serves on request.
 */
interface Attended
{
    /**
     * Serves the request; called by the progress thread.
     */
    void attend();

    /**
     * @return whether the progress thread was asked already; guarded by its queue.
     */
    boolean isQueued();

    /**
     * @param value whether the progress thread was asked; guarded by its queue.
     */
    void queued(boolean value);
}
