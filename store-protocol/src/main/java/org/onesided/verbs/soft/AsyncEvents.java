package org.onesided.verbs.soft;

import java.util.ArrayDeque;
import org.onesided.verbs.AsyncEvent;

/**
 * Asynchronous events that nobody has taken yet. Bounded: beyond the bound the newest are dropped. Thread-safe.
 */
final class AsyncEvents
{
    private static final int CAPACITY = 4096;
    /** Beyond that, those that strangers can cause as often as they like are dropped: they keep no others out. */
    private static final int CAPACITY_FOR_STRANGERS = 256;

    private final ArrayDeque<AsyncEvent> events = new ArrayDeque<>();

    /** Whether there was room for it. */
    synchronized boolean add(final AsyncEvent event)
    {
        return events.size() < (event.type() == AsyncEvent.Type.PEER_REFUSED ? CAPACITY_FOR_STRANGERS : CAPACITY) &&
            events.add(event);
    }

    synchronized AsyncEvent poll()
    {
        return events.poll();
    }
}
