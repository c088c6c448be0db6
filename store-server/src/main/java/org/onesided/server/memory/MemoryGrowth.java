package org.onesided.server.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.onesided.server.table.GrowthPlan;
import org.onesided.verbs.StillRunningException;
import org.onesided.verbs.ThreadEnd;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the parts of a table grow, in a thread of its own: shards ask ahead of need and never wait for the system. If
 * the system refuses memory, the store goes on with what it has, and the thread tries again later.
 */
public final class MemoryGrowth implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MemoryGrowth.class);
    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    /** A part grows by a quarter of what it has, within limits. */
    private static final int GROWTH_PART = 4;

    private final TableMemory memory;
    private final GrowthPlan plan;
    private final Runnable onLook;
    private final List<GrowingPart> parts = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "store-memory-growth");
    private volatile boolean isClosed;
    private volatile long refusals;
    private long pauseNs = FIRST_PAUSE_NS;
    private long retryNs;

    /**
     * @param memory to add segments to.
     * @param plan   of the table.
     * @param onLook called by the thread once a second.
     */
    public MemoryGrowth(final TableMemory memory, final GrowthPlan plan, final Runnable onLook)
    {
        this.memory = memory;
        this.plan = plan;
        this.onLook = onLook;
    }

    /**
     * Makes a part that starts with some memory. To be called before {@link #start}.
     *
     * @param part    of the plan.
     * @param length  bytes that are there from the start, at least.
     * @param onGrown called by the thread when the part has grown, or is refused more.
     * @return the part.
     * @throws VerbsException if the system refuses the memory.
     */
    public GrowingPart add(final GrowthPlan.Part part, final long length, final Runnable onGrown)
    {
        final GrowingPart made = new GrowingPart(plan, part, memory.pool(), this::wakeUp, onGrown);
        final long first = Math.min(GrowthPlan.pageCeiling(part.start() + length) - made.end(), made.most());
        if (first > memory.pool().left())
        {
            throw new IllegalArgumentException("plan exceeds the table's memory: length=" + first);
        }
        if (first > 0)
        {
            memory.add(made.end(), first);
            made.grown(first);
        }
        parts.add(made);
        return made;
    }

    /** Starts the thread. */
    public void start()
    {
        thread.start();
    }

    /**
     * @return how often the system refused memory; safe to ask from any thread.
     */
    public long refusals()
    {
        return refusals;
    }

    private void wakeUp()
    {
        LockSupport.unpark(thread);
    }

    @Override
    public void close()
    {
        isClosed = true;
        wakeUp();
        final String stuck = ThreadEnd.await(thread, ThreadEnd.PATIENCE_NS);
        if (stuck != null)
        {
            throw new StillRunningException(stuck);
        }
    }

    private void run()
    {
        long lookNs = System.nanoTime() + LOOK_NS;
        while (!isClosed)
        {
            boolean hasGrown = false;
            try
            {
                final long nowNs = System.nanoTime();
                if (!memory.pool().isRefused() || nowNs - retryNs >= 0)
                {
                    hasGrown = growAll();
                }
                if (nowNs - lookNs >= 0)
                {
                    lookNs = nowNs + LOOK_NS;
                    onLook.run();
                }
            }
            catch (final RuntimeException e)
            {
                LOGGER.error("unexpected error: agent={}", thread.getName(), e);
            }
            if (!hasGrown && !isClosed)
            {
                LockSupport.parkNanos(this, LOOK_NS);
            }
        }
    }

    private boolean growAll()
    {
        boolean hasGrown = false;
        for (int i = 0; i < parts.size(); i++)
        {
            if (!isClosed && parts.get(i).missing() > 0)
            {
                hasGrown |= grow(parts.get(i));
            }
        }
        return hasGrown;
    }

    private boolean grow(final GrowingPart part)
    {
        final long missing = part.missing();
        final long quarter = GrowthPlan.pageFloor(part.usable() / GROWTH_PART);
        final long step = Math.min(Math.max(quarter, plan.minSegment()), plan.maxSegment());
        long length = Math.min(Math.min(Math.max(step, missing), memory.pool().left()), part.most());
        if (length <= 0)
        {
            part.drop();
            return false;
        }
        while (true)
        {
            try
            {
                memory.add(part.end(), length);
                part.grown(length);
                accepted();
                return true;
            }
            catch (final VerbsException e)
            {
                if (length <= plan.minSegment())
                {
                    refused(e);
                    return false;
                }
                length = Math.max(plan.minSegment(), GrowthPlan.pageFloor(length / 2));
            }
        }
    }

    private void accepted()
    {
        if (memory.pool().isRefused())
        {
            memory.pool().refused(false);
            pauseNs = FIRST_PAUSE_NS;
            LOGGER.info("memory grows again: memory={}MiB limit={}MiB", memory.committed() >> 20,
                memory.limit() >> 20);
        }
    }

    private void refused(final VerbsException e)
    {
        refusals++;
        if (!memory.pool().isRefused())
        {
            LOGGER.warn("memory cannot grow, the store goes on with what it has and tries again: {} " +
                "memory={}MiB limit={}MiB", e.getMessage(), memory.committed() >> 20, memory.limit() >> 20);
        }
        retryNs = System.nanoTime() + pauseNs;
        pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
        memory.pool().refused(true);
        parts.forEach(GrowingPart::tell);
    }
}
