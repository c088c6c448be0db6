package org.onesided.verbs.soft;

import java.util.ArrayDeque;
import org.onesided.verbs.AsyncEvent;

/**
 * Asynchronous events that no thread has taken yet. Bounded: when it is full, new events are dropped. Thread-safe.
 */
final class AsyncEvents
{
    private static final int CAPACITY = 4096;
    /** Above this number, events that strangers can cause at will are dropped, so that they do not displace others. */
    private static final int CAPACITY_FOR_STRANGERS = 256;

    private final ArrayDeque<AsyncEvent> events = new ArrayDeque<>();

    /** Whether the event was added. */
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
