package org.onesided.verbs.soft;

import org.agrona.UnsafeApi;

/**
 * A queue pair as its completion queues poll it. It may rest: then its peer sets its mark for each thing that it does.
 */
final class PolledQueuePair implements SoftCompletionQueue.Source
{
    private final WorkQueues queues;
    private final Transport transport;
    private final SoftCompletionQueue sendCompletions;
    private final SoftCompletionQueue receiveCompletions;
    private final int mark;
    /** Changed under the queue pair's lock, by a thread that holds the polling lock. */
    private volatile boolean resting;

    /**
     * @param queues    of the queue pair.
     * @param transport of the queue pair.
     * @param mark      in its only completion queue, or {@link Marks#NONE}.
     */
    PolledQueuePair(final WorkQueues queues, final Transport transport, final int mark)
    {
        this.queues = queues;
        this.transport = transport;
        this.mark = mark;
        sendCompletions = queues.sendCompletions();
        receiveCompletions = queues.receiveCompletions();
    }

    @Override
    public boolean progress()
    {
        if (queues.isBlocked() || transport.lookForArrivals() ||
            sendCompletions.isBroken() || receiveCompletions.isBroken())
        {
            queues.progressNow();
            return true;
        }
        return false;
    }

    @Override
    public void refreshArmed()
    {
        queues.lock().acquire();
        try
        {
            if (!queues.isClosed())
            {
                queues.publishWakeUps();
            }
        }
        finally
        {
            queues.lock().release();
        }
    }

    @Override
    public long waitLeftNs(final long nowNs)
    {
        return queues.isBlocked() ? queues.retryTimer().leftNs(nowNs) : Timers.FOR_EVER_NS;
    }

    @Override
    public int mark()
    {
        return mark;
    }

    @Override
    public boolean isResting()
    {
        return resting;
    }

    @Override
    public boolean tryRest()
    {
        if (mark == Marks.NONE || queues.isBlocked())
        {
            return false;
        }
        queues.lock().acquire();
        try
        {
            if (queues.isClosed() || queues.isBlocked() || !transport.mayRest())
            {
                return false;
            }
            resting = true;
            queues.publishWakeUps();
            UnsafeApi.fullFence();
            // What the peer did before it could see that this side rests.
            if (transport.lookForArrivals())
            {
                resting = false;
                queues.publishWakeUps();
            }
            return resting;
        }
        finally
        {
            queues.lock().release();
        }
    }

    @Override
    public void endRest()
    {
        queues.lock().acquire();
        try
        {
            resting = false;
            if (!queues.isClosed())
            {
                queues.publishWakeUps();
            }
        }
        finally
        {
            queues.lock().release();
        }
    }

    /** This side did something that the next poll must look at; under the queue pair's lock. */
    void attend()
    {
        if (resting)
        {
            UnsafeApi.fullFence();
            receiveCompletions.mark(mark);
        }
    }
}
