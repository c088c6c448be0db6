package org.onesided.verbs.tcp;

import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.soft.ReceiveQueue;
import org.onesided.verbs.soft.SoftProtectionDomain;
import org.onesided.verbs.soft.SoftSharedReceiveQueue;

/**
 * A shared receive queue. A queue pair takes a receive when a message comes; queue pairs that found none wait for the
 * next.
 */
final class TcpSharedReceiveQueue extends SoftSharedReceiveQueue
{
    private final Progress progress;
    private final ReceiveQueue receives;
    private final int maxElements;
    private final List<Attended> waiting = new ArrayList<>();

    TcpSharedReceiveQueue(
        final Progress progress, final SoftProtectionDomain domain, final int maxWorkRequests, final int maxElements)
    {
        super(domain, maxWorkRequests, maxElements);
        this.progress = progress;
        this.maxElements = maxElements;
        receives = new ReceiveQueue(maxWorkRequests, maxElements);
    }

    /**
     * @return room that {@link #take} needs.
     */
    int elementsLength()
    {
        return Math.max(1, maxElements) * ElementDescriptor.LENGTH;
    }

    /**
     * Takes the oldest receive; if there is one, the lock is held until {@link #endTake}.
     *
     * @param attended is attended to once there is one, if there is none.
     * @param elements  address that its elements are copied to.
     * @return how many elements it has, or -1 if there is none.
     */
    int take(final Attended attended, final long elements)
    {
        lock().acquire();
        if (receives.isEmpty())
        {
            if (!waiting.contains(attended))
            {
                waiting.add(attended);
            }
            lock().release();
            return -1;
        }
        final long position = receives.consumed();
        final int count = receives.elementCount(position);
        UnsafeApi.copyMemory(receives.elements(position), elements, (long)count * ElementDescriptor.LENGTH);
        return count;
    }

    long takenId()
    {
        return receives.id(receives.consumed());
    }

    long takenLength()
    {
        return receives.totalLength(receives.consumed());
    }

    void endTake()
    {
        receives.consume();
        lock().release();
    }

    /**
     * Forgets a queue pair that may be waiting.
     */
    void forget(final Attended attended)
    {
        lock().acquire();
        waiting.remove(attended);
        lock().release();
    }

    @Override
    protected boolean isFull()
    {
        return receives.isFull();
    }

    @Override
    protected void post(final long request)
    {
        receives.add(request);
        for (int i = waiting.size() - 1; i >= 0; i--)
        {
            progress.attend(waiting.remove(i));
        }
    }

    @Override
    protected void release()
    {
        receives.close();
    }
}
