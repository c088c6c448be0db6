package org.onesided.verbs.soft;

import java.util.ArrayDeque;
import org.onesided.verbs.AsyncEvent;

/**
 * Asynchronous events that nobody has taken yet. Bounded: beyond the bound the newest are dropped. Thread-safe.
 */
final class AsyncEvents
{
    private static final int CAPACITY = 4096;

    private final ArrayDeque<AsyncEvent> events = new ArrayDeque<>();

    synchronized void add(final AsyncEvent event)
    {
        if (events.size() < CAPACITY)
        {
            events.add(event);
        }
    }

    synchronized AsyncEvent poll()
    {
        return events.poll();
    }
}
