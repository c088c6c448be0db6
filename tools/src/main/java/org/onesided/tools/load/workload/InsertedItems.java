package org.onesided.tools.load.workload;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Existing items, to which threads insert more. An item exists once its insert and all earlier ones have ended.
 * Thread-safe.
 */
public final class InsertedItems
{
    private static final int WINDOW = 1 << 16;
    private static final long PARK_NS = 50_000;

    private final AtomicLong next;
    private final AtomicLong last;
    private final AtomicLongArray ended = new AtomicLongArray(WINDOW);
    private final Set<Long> failed = ConcurrentHashMap.newKeySet();

    /**
     * @param count of initial items.
     */
    public InsertedItems(final long count)
    {
        next = new AtomicLong(count);
        last = new AtomicLong(count - 1);
        for (int i = 0; i < WINDOW; i++)
        {
            ended.set(i, -1);
        }
    }

    /**
     * Begins an insert; waits while another is too far behind.
     *
     * @return index of the new item; the caller reports its end to {@link #end}.
     */
    public long begin()
    {
        final long item = next.getAndIncrement();
        while (item - last.get() > WINDOW)
        {
            // Thousands of inserts are in flight: the slowest needs the core more than this thread does.
            LockSupport.parkNanos(PARK_NS);
        }
        return item;
    }

    /**
     * Ends an insert.
     *
     * @param item   from {@link #begin}.
     * @param isDone whether the insert succeeded.
     */
    public void end(final long item, final boolean isDone)
    {
        if (!isDone)
        {
            failed.add(item);
        }
        ended.set(slot(item), item);
        long at = last.get();
        while (ended.get(slot(at + 1)) == at + 1)
        {
            last.compareAndSet(at, at + 1);
            at = last.get();
        }
    }

    /**
     * @return index of the last existing item.
     */
    public long last()
    {
        return last.get();
    }

    /**
     * @param item an index.
     * @return whether its insert failed, so that it may or may not exist.
     */
    public boolean isFailed(final long item)
    {
        return !failed.isEmpty() && failed.contains(item);
    }

    private static int slot(final long item)
    {
        return (int)item & (WINDOW - 1);
    }
}
