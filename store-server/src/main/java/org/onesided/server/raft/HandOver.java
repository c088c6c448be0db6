package org.onesided.server.raft;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.server.log.LogListener;

/**
 * What has happened to a log, on its way from Ratis' threads to the shard's. Bounded: a thread that hands an entry over
 * waits while too much is in it.
 */
final class HandOver
{
    private static final int MOST_ENTRIES = 1024;
    private static final long MOST_BYTES = 16L << 20;
    private static final long WAIT_NS = 100_000;

    private final ManyToOneConcurrentLinkedQueue<Event> queue = new ManyToOneConcurrentLinkedQueue<>();
    /** Events in the queue. Too low for a moment: an event is put in first, and counted then. */
    private final AtomicInteger events = new AtomicInteger();
    private final AtomicInteger entries = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final Runnable wakeUp;
    private volatile boolean unbounded;
    private volatile boolean closed;
    private long reign;
    private long term;

    HandOver(final Runnable wakeUp)
    {
        this.wakeUp = wakeUp;
    }

    /** Puts an entry in, once there is room. Drops it after {@link #close()}. */
    void entry(final long term, final long index, final byte[] entry)
    {
        while (!closed && !unbounded && (entries.get() >= MOST_ENTRIES || bytes.get() >= MOST_BYTES))
        {
            LockSupport.parkNanos(WAIT_NS);
        }
        entries.getAndIncrement();
        bytes.getAndAdd(entry.length);
        put(new Event(Kind.ENTRY, term, index, entry, null));
    }

    void ready(final long term, final long reign)
    {
        put(new Event(Kind.READY, term, reign, null, null));
    }

    /** The reign that the shard heard of last. For its thread. */
    long reign()
    {
        return reign;
    }

    /** Term of that reign. For the shard's thread. */
    long term()
    {
        return term;
    }

    void failed(final String reason)
    {
        put(new Event(Kind.FAILED, 0, 0, null, reason));
    }

    void leading(final long term, final long index)
    {
        put(new Event(Kind.LEADING, term, index, null, null));
    }

    void following(final long term, final long leader)
    {
        put(new Event(Kind.FOLLOWING, term, leader, null, null));
    }

    void installed(final long index)
    {
        put(new Event(Kind.INSTALLED, 0, index, null, null));
    }

    private void put(final Event event)
    {
        if (!closed)
        {
            queue.offer(event);
            // An awake shard polls until nothing is left. Waking it for each entry took a quarter of a start's work.
            if (events.getAndIncrement() <= 0)
            {
                wakeUp.run();
            }
        }
    }

    int poll(final LogListener listener, final int limit)
    {
        int calls = 0;
        Event event;
        while (calls < limit && (event = queue.poll()) != null)
        {
            calls++;
            events.getAndDecrement();
            switch (event.kind)
            {
                case ENTRY ->
                {
                    entries.getAndDecrement();
                    bytes.getAndAdd(-event.entry.length);
                    buffer.wrap(event.entry);
                    listener.onEntry(event.number, event.term, buffer, 0, event.entry.length);
                }
                case FAILED -> listener.onFailed(event.reason);
                case LEADING -> listener.onLeading(event.term, event.number);
                case FOLLOWING -> listener.onFollowing(event.term, event.number);
                case INSTALLED -> listener.onInstalled(event.number);
                default ->
                {
                    reign = event.number;
                    term = event.term;
                    listener.onReady();
                }
            }
        }
        return calls;
    }

    /** Lets a failed log hand over what it has committed without waiting: that is no more than was proposed. */
    void unbounded(final boolean isUnbounded)
    {
        unbounded = isUnbounded;
    }

    void close()
    {
        closed = true;
    }

    private enum Kind
    {
        ENTRY, READY, FAILED, LEADING, FOLLOWING, INSTALLED
    }

    /** The number is an index, that of a leader, or that of a reign. */
    private record Event(Kind kind, long term, long number, byte[] entry, String reason)
    {
    }
}
