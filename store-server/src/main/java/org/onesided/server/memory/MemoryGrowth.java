package org.onesided.server.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardMemory;
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
    /** Name of the thread. */
    public static final String THREAD = "store-memory-growth";

    private static final Logger LOGGER = LoggerFactory.getLogger(MemoryGrowth.class);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private final TableMemory memory;
    private final GrowthPlan plan;
    private final GrowthListener listener;
    private final MemoryShares shares;
    private final GrowthRefusals refusals;
    private final GrowingParts parts = new GrowingParts();
    private final Thread thread = new Thread(this::run, THREAD);
    private final MemoryRelease release;
    private final HeapShrinking shrinking;
    private volatile boolean isClosed;
    /** Index of the part that is looked at first: not always the same, as one that is refused ends the pass. */
    private int first;
    private boolean hasHugePages;
    /** Whether the present pass rested, so that a wake-up may have been missed. */
    private boolean hasRested;

    /**
     * @param memory    to add segments to.
     * @param plan      of the table.
     * @param isDivided whether no shard gets more than its {@link GrowthPlan#memoryShare}, so that each can count on it
     *                  whatever the others do; otherwise all draw from one pool.
     * @param releaseNs how long a heap must not have grown before it gives back what it can do without; 0 for ever.
     * @param listener  called by the thread.
     */
    public MemoryGrowth(
        final TableMemory memory,
        final GrowthPlan plan,
        final boolean isDivided,
        final long releaseNs,
        final GrowthListener listener)
    {
        this.memory = memory;
        this.plan = plan;
        this.listener = listener;
        shares = new MemoryShares(plan, memory, isDivided);
        refusals = new GrowthRefusals(memory.pool());
        release = new MemoryRelease(memory, plan, listener, this::wakeUp);
        shrinking = new HeapShrinking(releaseNs);
    }

    /**
     * Makes the parts of a shard, which start with some memory. To be called before {@link #start}.
     *
     * @param shard number of the shard.
     * @param heap  bytes of its heap that are there from the start.
     * @return the parts.
     * @throws VerbsException if the system refuses the memory.
     */
    public ShardMemory addShard(final int shard, final long heap)
    {
        final GrowthPlan.Shard of = plan.shards().get(shard);
        final Runnable onGrown = () -> tell(shard);
        final MemoryPool pool = shares.pool();
        final GrowingPart buckets =
            add(of.buckets(), true, (long)of.layout().firstBuckets() * BucketDescriptor.LENGTH, pool, onGrown);
        final GrowingPart overflow = add(of.overflow(), true, plan.minSegment(), pool, onGrown);
        final long before = memory.committed();
        final GrowingPart reserve = add(of.reserve(), false, plan.initialReserve(heap), pool, onGrown);
        final GrowingPart records =
            add(of.records(), false, GrowthPlan.pageFloor(heap - (memory.committed() - before)), pool, onGrown);
        release.add(buckets, records);
        shrinking.add(records);
        return new ShardMemory(buckets, overflow, reserve, records);
    }

    /**
     * Makes a part that starts with some memory. To be called before {@link #start}.
     *
     * @param part    of the plan.
     * @param isIndex whether it belongs to an index.
     * @param length  bytes that are there from the start, at least.
     * @param pool    that its segments come of: that of the table, or of a shard.
     * @param onGrown called by the thread when the part has grown, or is refused more.
     * @return the part.
     * @throws VerbsException if the system refuses the memory.
     */
    GrowingPart add(
        final GrowthPlan.Part part,
        final boolean isIndex,
        final long length,
        final MemoryPool pool,
        final Runnable onGrown)
    {
        final GrowingPart made =
            new GrowingPart(part, isIndex, new ShareSource(shares, pool, refusals, this::wakeUp), onGrown);
        final long begin = Math.min(GrowthPlan.pageCeiling(part.start() + length) - made.end(), made.most());
        if (begin > Math.min(memory.pool().left(), pool.left()))
        {
            throw new IllegalArgumentException("plan exceeds the table's memory: length=" + begin);
        }
        if (begin > 0)
        {
            memory.add(made.end(), begin, CommitPace.AT_ONCE);
            made.grown(begin);
            memory.count(begin);
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
        return refusals.count();
    }

    boolean isRefused()
    {
        return refusals.isRefused();
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
        try
        {
            hasHugePages = memory.hugePages();
            long lookNs = System.nanoTime() + LOOK_NS;
            while (!isClosed)
            {
                final long nowNs = System.nanoTime();
                hasRested = false;
                boolean hasGrown = takeBackAll(nowNs);
                final boolean wasUsedUp = parts.isUsedUp();
                if (release.step(nowNs))
                {
                    refusals.retry(nowNs);
                    if (wasUsedUp)
                    {
                        // Shards were told that there is none left.
                        parts.tell();
                    }
                }
                if (refusals.isTimeToAsk(nowNs))
                {
                    hasGrown |= growAll();
                }
                shrinking.step(nowNs);
                shrinking.onStarved(parts::canHelp, nowNs);
                if (nowNs - lookNs >= 0)
                {
                    lookNs = nowNs + LOOK_NS;
                    look(nowNs);
                }
                // A wake-up may have ended a rest.
                if (!hasGrown && !hasRested && !isClosed)
                {
                    final long pauseNs = Math.min(shrinking.pauseNs(nowNs), release.pauseNs(nowNs));
                    LockSupport.parkNanos(this, Math.min(LOOK_NS, pauseNs));
                }
            }
        }
        catch (final RuntimeException | Error e)
        {
            listener.onFailed(e);
            LOGGER.error("unexpected error: agent={}", THREAD, e);
        }
        finally
        {
            // Nothing comes any more, so nobody may wait for it.
            refusals.end();
            parts.tell();
        }
    }

    private void look(final long nowNs)
    {
        refusals.look(nowNs);
        try
        {
            listener.onLook();
        }
        catch (final RuntimeException e)
        {
            LOGGER.error("unexpected error: agent={}", THREAD, e);
        }
    }

    /** Gives the parts that want more memory what they have given up, and is still there. */
    private boolean takeBackAll(final long nowNs)
    {
        boolean hasGrown = false;
        for (final GrowingPart part : parts)
        {
            if (part.wantsGivenUp())
            {
                release.takeBack(part);
                shrinking.onGrown(part, nowNs);
                part.tell();
                hasGrown = true;
            }
        }
        return hasGrown;
    }

    /** Adds a segment to each part that wants one, until one is refused. */
    private boolean growAll()
    {
        boolean hasGrown = false;
        final int count = parts.count();
        final int begin = first;
        for (int i = 0; i < count && !isClosed; i++)
        {
            final int index = (begin + i) % count;
            final GrowingPart part = parts.get(index);
            // No segment comes behind one that goes: a part that wants more than it gave up takes that back first.
            if (part.missing() > 0 && part.givenUp() == 0 && part.left() > 0)
            {
                if (!grow(part))
                {
                    first = (index + 1) % count;
                    return hasGrown;
                }
                hasGrown = true;
            }
        }
        return hasGrown;
    }

    /** Adds a segment; whether there is one. */
    private boolean grow(final GrowingPart part)
    {
        final MemoryShares.Segment next = shares.next(part);
        final long least = next.least();
        long length = next.length();
        long added = tryAdd(part, length, least);
        while (added == 0)
        {
            if (length <= least || isClosed)
            {
                return false;
            }
            length = Math.max(least, GrowthPlan.pageFloor(length / 2));
            added = tryAdd(part, length, least);
        }
        part.grown(added);
        memory.count(added);
        shrinking.onGrown(part, System.nanoTime());
        refusals.granted();
        part.tell();
        if (parts.isUsedUp())
        {
            // Others may have thought that there is some.
            parts.tell();
        }
        return true;
    }

    /** Adds a segment of the least length or more; its length, or 0 if it is refused. */
    private long tryAdd(final GrowingPart part, final long length, final long least)
    {
        final boolean isLast = length <= least;
        final SegmentPace pace = new SegmentPace(part, least, parts, hasHugePages, () -> isClosed);
        try
        {
            return memory.add(part.end(), length, pace);
        }
        catch (final VerbsException e)
        {
            if (isLast && !isClosed)
            {
                refused(e);
            }
        }
        catch (final RuntimeException e)
        {
            LOGGER.error("unexpected error: agent={}", THREAD, e);
            if (isLast && !isClosed)
            {
                refused(e);
            }
        }
        finally
        {
            hasRested |= pace.hasRested();
        }
        return 0;
    }

    private void refused(final RuntimeException e)
    {
        refusals.refused(e, System.nanoTime());
        parts.tell();
    }

    /** Wakes a shard. If that fails, the segment stays: a broken shard says nothing about memory. */
    private void tell(final int shard)
    {
        try
        {
            listener.onGrown(shard);
        }
        catch (final RuntimeException e)
        {
            LOGGER.error("unexpected error: agent={}", THREAD, e);
        }
    }
}
