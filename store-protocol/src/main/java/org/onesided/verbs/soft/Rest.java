package org.onesided.verbs.soft;

import org.agrona.UnsafeApi;

/**
 * Whether a queue pair rests: then polls look at it only when its mark was set, by its peer or by this side. Changed
 * under the queue pair's lock, by a thread that holds the polling lock; read by any.
 */
final class Rest
{
    private final SoftCompletionQueue completions;
    private final int mark;
    private volatile boolean resting;

    /**
     * @param completions the only completion queue of the queue pair.
     * @param mark        there, or {@link Marks#NONE}.
     */
    Rest(final SoftCompletionQueue completions, final int mark)
    {
        this.completions = completions;
        this.mark = mark;
    }

    int mark()
    {
        return mark;
    }

    boolean isResting()
    {
        return resting;
    }

    void resting(final boolean value)
    {
        resting = value;
    }

    /** This side did something that the next poll must look at; under the queue pair's lock. */
    void attend()
    {
        if (resting)
        {
            UnsafeApi.fullFence();
            completions.mark(mark);
        }
    }
}
