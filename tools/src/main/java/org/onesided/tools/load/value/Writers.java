package org.onesided.tools.load.value;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The writers of this process. Each has a globally unique identity and counts its writes. Thread-safe; each writer
 * belongs to one thread at a time.
 */
public final class Writers
{
    /** Maximum number of writers of a process. */
    public static final int MAX_COUNT = 1 << 16;

    /** Spreads the counters over cache lines. */
    private static final int STRIDE = 16;

    private final long process;
    private final int count;
    private final AtomicLongArray counters;

    /**
     * @param process random, so that processes differ.
     * @param count   of writers, 1 to {@link #MAX_COUNT}.
     */
    public Writers(final long process, final int count)
    {
        if (count < 1 || count > MAX_COUNT)
        {
            throw new IllegalArgumentException("writers are out of range, 1 to " + MAX_COUNT + ": writers=" + count);
        }
        this.process = process & -MAX_COUNT;
        this.count = count;
        counters = new AtomicLongArray(count * STRIDE);
    }

    int count()
    {
        return count;
    }

    /**
     * @param writer its index, from 0.
     * @return its identity.
     */
    public long identity(final int writer)
    {
        return process | writer;
    }

    /**
     * Begins a write.
     *
     * @param writer its index; called by its thread only.
     * @return the write's counter, from 1.
     */
    public long nextCounter(final int writer)
    {
        final int at = writer * STRIDE;
        final long next = counters.getPlain(at) + 1;
        // Before the value becomes visible.
        counters.setRelease(at, next);
        return next;
    }

    /** Whether one of these writers may have written the value, or an unknown writer. */
    boolean mayHaveWritten(final long identity, final long counter)
    {
        if ((identity & -MAX_COUNT) != process)
        {
            return counter > 0;
        }
        final int writer = (int)(identity & (MAX_COUNT - 1));
        return writer < count && counter > 0 && counter <= counters.getAcquire(writer * STRIDE);
    }
}
