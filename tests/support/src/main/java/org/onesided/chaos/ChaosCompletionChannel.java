package org.onesided.chaos;

import java.util.ArrayDeque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;

/**
 * Events of completion queues. Who waits here carries on with the requests of their queue pairs.
 */
final class ChaosCompletionChannel implements CompletionChannel
{
    private final ChaosContext context;
    private final CompletionChannel wrapped;
    private final Set<ChaosCompletionQueue> completionQueues = ConcurrentHashMap.newKeySet();
    private final ArrayDeque<ChaosCompletionQueue> events = new ArrayDeque<>();
    private volatile boolean isWoken;

    ChaosCompletionChannel(final ChaosContext context, final CompletionChannel wrapped)
    {
        this.context = context;
        this.wrapped = wrapped;
    }

    @Override
    public CompletionQueue awaitEvent(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        while (true)
        {
            // In this order: what completes after the arming wakes the wrapped channel.
            completionQueues.forEach(ChaosCompletionQueue::armWrapped);
            completionQueues.forEach(ChaosCompletionQueue::progress);
            final CompletionQueue event = takeEvent();
            if (event != null)
            {
                return event;
            }
            final long nowNs = System.nanoTime();
            final long leftNs = timeoutNs - (nowNs - startNs);
            if (takeWakeUp())
            {
                return null;
            }
            long dueNs = Math.max(0, leftNs);
            for (final ChaosCompletionQueue queue : completionQueues)
            {
                dueNs = Math.min(dueNs, queue.dueInNs(nowNs));
            }
            final CompletionQueue rung = wrapped.awaitEvent(dueNs);
            if (rung != null)
            {
                rung.acknowledgeEvents(1);
                completionQueues.forEach((queue) -> queue.rung(rung));
            }
            else if (leftNs <= 0)
            {
                return takeEvent();
            }
        }
    }

    @Override
    public void wakeUp()
    {
        isWoken = true;
        wrapped.wakeUp();
    }

    @Override
    public void close()
    {
        wrapped.close();
    }

    Context context()
    {
        return context;
    }

    CompletionChannel wrapped()
    {
        return wrapped;
    }

    void add(final ChaosCompletionQueue queue)
    {
        completionQueues.add(queue);
    }

    void remove(final ChaosCompletionQueue queue)
    {
        completionQueues.remove(queue);
        synchronized (events)
        {
            events.removeIf((event) -> event == queue);
        }
    }

    /** Wakes who waits here for a completion that another thread adds. */
    void raise(final ChaosCompletionQueue queue)
    {
        synchronized (events)
        {
            events.add(queue);
        }
        wrapped.wakeUp();
    }

    private CompletionQueue takeEvent()
    {
        synchronized (events)
        {
            final ChaosCompletionQueue queue = events.poll();
            if (queue != null)
            {
                queue.eventTaken();
            }
            return queue;
        }
    }

    private boolean takeWakeUp()
    {
        final boolean was = isWoken;
        isWoken = false;
        return was;
    }
}
