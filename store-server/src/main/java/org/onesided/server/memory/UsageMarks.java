package org.onesided.server.memory;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when a table's memory is used up to some mark: once, until it is well below the mark again. One thread checks,
 * any thread asks.
 */
public final class UsageMarks
{
    private static final Logger LOGGER = LoggerFactory.getLogger(UsageMarks.class);
    /** In percent of the memory, from the lowest. */
    private static final int[] MARKS = {80, 90, 95};
    /** So many percent below a mark it counts as left. */
    private static final int SLACK = 2;

    private final LongSupplier used;
    private final long limit;
    private final boolean evicts;
    private volatile int reached;

    /**
     * @param used   bytes in use now.
     * @param limit  most bytes.
     * @param evicts whether records leave when the memory is full, so that nobody need do anything.
     */
    public UsageMarks(final LongSupplier used, final long limit, final boolean evicts)
    {
        this.evicts = evicts;
        this.used = used;
        this.limit = limit;
    }

    /**
     * Looks at what is used now.
     */
    public void check()
    {
        final long bytes = used.getAsLong();
        final double percent = 100.0 * bytes / limit;
        int mark = 0;
        for (final int each : MARKS)
        {
            mark = percent >= (each <= reached ? each - SLACK : each) ? each : mark;
        }
        if (mark > reached && !evicts)
        {
            LOGGER.warn("memory gets full, delete keys in time or start the server with more: percent={} " +
                "used={}MiB memory={}MiB", mark, bytes >> 20, limit >> 20);
        }
        reached = mark;
    }

    /**
     * @return the highest mark that was reached, in percent; 0 for none.
     */
    public int reached()
    {
        return reached;
    }
}
