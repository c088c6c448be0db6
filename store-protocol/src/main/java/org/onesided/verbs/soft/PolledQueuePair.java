package org.onesided.verbs.soft;

import org.agrona.UnsafeApi;

/**
 * A queue pair as its completion queues poll it. It may rest: then its peer sets its mark for each thing that it does.
 */
final class PolledQueuePair implements ReadyList.Source
{
    private final WorkQueues queues;
    private final Transport transport;
    private final SoftCompletionQueue sendCompletions;
    private final SoftCompletionQueue receiveCompletions;
    private final Rest rest;

    /**
     * @param queues of the queue pair.
     * @param rest   of the queue pair.
     */
    PolledQueuePair(final WorkQueues queues, final Rest rest)
    {
        this.queues = queues;
        this.rest = rest;
        transport = queues.transport();
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
        return rest.mark();
    }

    @Override
    public boolean isResting()
    {
        return rest.isResting();
    }

    @Override
    public boolean tryRest()
    {
        if (rest.mark() == Marks.NONE || queues.isBlocked())
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
            rest.resting(true);
            queues.publishWakeUps();
            UnsafeApi.fullFence();
            // What the peer did before it could see that this side rests.
            if (transport.lookForArrivals())
            {
                rest.resting(false);
                queues.publishWakeUps();
            }
            return rest.isResting();
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
            rest.resting(false);
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
}
