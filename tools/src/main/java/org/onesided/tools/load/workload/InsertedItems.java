package org.onesided.tools.load.workload;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Items that are there, of which threads insert more. An item is there when its insert and those of all before it have
 * ended. Thread-safe.
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
     * @param count of items that are there at first.
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
     * Begins an insert, and waits while one is too far behind.
     *
     * @return index of the new item; the caller tells its end by {@link #end}.
     */
    public long begin()
    {
        final long item = next.getAndIncrement();
        while (item - last.get() > WINDOW)
        {
            // Thousands of inserts are under way: the slowest of them needs the core more than this thread does.
            LockSupport.parkNanos(PARK_NS);
        }
        return item;
    }

    /**
     * Ends an insert.
     *
     * @param item   that {@link #begin} gave.
     * @param isDone whether the item is there.
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
     * @return index of the last item that is there.
     */
    public long last()
    {
        return last.get();
    }

    /**
     * @param item an index.
     * @return whether its insert failed, so that nobody knows whether it is there.
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
