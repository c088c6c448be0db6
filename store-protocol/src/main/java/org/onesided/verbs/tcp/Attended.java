package org.onesided.verbs.tcp;

/**
 * What the progress thread looks after when it is asked to.
 */
interface Attended
{
    /**
     * Does what the progress thread was asked for; called by it.
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
