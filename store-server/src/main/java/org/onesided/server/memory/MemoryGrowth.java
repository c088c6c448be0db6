package org.onesided.server.memory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(30);
    /** Without a refusal for so long, memory grows again. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    /** A step is halved when it is refused, but not below this part of it: a directory has room for so many. */
    private static final int LEAST_PART_OF_STEP = 8;
    private static final int PARTS_PER_SHARD = 4;
    /** Takes about a millisecond, so others get the core back soon. */
    private static final long PIECE_LENGTH = 1L << 20;
    /** Huge pages are made faster, but asking whether they are huge takes some milliseconds. */
    private static final long HUGE_PIECE_LENGTH = 16L << 20;
    /** A heap has so much ahead of need that it lasts for some hundred milliseconds. */
    private static final long RESTS_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final TableMemory memory;
    private final GrowthPlan plan;
    private final GrowthListener listener;
    private final boolean isDivided;
    private final List<GrowingPart> parts = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, THREAD);
    private final MemoryRelease release;
    private final HeapShrinking shrinking;
    private volatile boolean isClosed;
    private volatile boolean isRefused;
    private volatile long refusals;
    /** Index of the part that is looked at first: not always the same, as one that is refused ends the pass. */
    private int first;
    /** Whether the log says that memory cannot grow. */
    private boolean isReported;
    private boolean hasHugePages;
    /** Whether the present pass rested, so that a wake-up may have been missed. */
    private boolean hasRested;
    private long pauseNs = FIRST_PAUSE_NS;
    private long refusedNs;
    private long retryNs;

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
        this.isDivided = isDivided;
        this.memory = memory;
        this.plan = plan;
        this.listener = listener;
        release = new MemoryRelease(memory, plan, listener, () -> LockSupport.unpark(thread));
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
        final MemoryPool pool = isDivided ? new MemoryPool(plan.memoryShare()) : memory.pool();
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
        final GrowingPart made = new GrowingPart(part, isIndex, new Source(pool), onGrown);
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
        return refusals;
    }

    boolean isRefused()
    {
        return isRefused;
    }

    /** For the parts. */
    private final class Source implements SegmentSource
    {
        private final MemoryPool pool;

        Source(final MemoryPool pool)
        {
            this.pool = pool;
        }

        @Override
        public boolean isRefused()
        {
            return isRefused;
        }

        @Override
        public long left(final boolean isIndex)
        {
            // The system may keep memory that was given back: then there is less than all shares.
            return GrowthPlan.pageFloor(
                Math.min(memory.pool().left(), isIndex ? pool.left() : pool.leftForHeaps()));
        }

        @Override
        public long ahead(final long usable, final boolean isIndex)
        {
            return plan.ahead(usable, ofAll(left(isIndex)), isIndex);
        }

        @Override
        public void wakeUp()
        {
            LockSupport.unpark(thread);
        }

        @Override
        public MemoryPool pool()
        {
            return pool;
        }

        @Override
        public void onTaken(final long length)
        {
            if (isDivided)
            {
                pool.take(length);
            }
        }

        @Override
        public void onGiven(final long length)
        {
            if (isDivided)
            {
                pool.give(length);
            }
        }
    }

    /** What all shards together may still get, if one may get so much. */
    private long ofAll(final long left)
    {
        return isDivided ? left * plan.shards().size() : left;
    }

    /** Whether heaps get no more, or some do not. */
    private boolean isUsedUp()
    {
        return parts.stream().anyMatch((part) -> !part.isIndex() && part.left() == 0);
    }

    private boolean canHelp(final GrowingPart heap)
    {
        return parts.stream().anyMatch((part) -> part.isStarved() && part.competesWith(heap));
    }

    /**
     * Memory comes ahead of need, so the thread rests after each piece for as long as the piece took. Threads that spin
     * and want this core get it back soon. Otherwise they would conclude that others need the cores, and sleep for a
     * while. There is no rest while a put waits for memory. There is none either once the segment has taken long: on
     * busy cores a rest lasts until the thread gets a core again. A segment that a put waits for ends as soon as
     * the put has its room, so that the shard works on with it.
     */
    private final class Pace implements CommitPace
    {
        private final long beginNs = System.nanoTime();
        private final GrowingPart part;
        private final long least;

        /**
         * @param part  that gets the segment.
         * @param least bytes of the segment.
         */
        Pace(final GrowingPart part, final long least)
        {
            this.part = part;
            this.least = least;
        }

        @Override
        public long pieceLength()
        {
            return hasHugePages ? HUGE_PIECE_LENGTH : PIECE_LENGTH;
        }

        @Override
        public boolean next(final long pieceNs)
        {
            if (pieceNs > 0 && System.nanoTime() - beginNs < RESTS_NS && !isAwaited())
            {
                hasRested = true;
                LockSupport.parkNanos(this, Math.min(pieceNs, RESTS_NS));
            }
            return !isClosed;
        }

        @Override
        public boolean isEnough(final long length)
        {
            return part.isAwaited() && length >= Math.max(least, part.missing());
        }
    }

    private boolean isAwaited()
    {
        for (final GrowingPart part : parts)
        {
            if (part.isAwaited())
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close()
    {
        isClosed = true;
        LockSupport.unpark(thread);
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
                final boolean wasUsedUp = isUsedUp();
                if (release.step(nowNs))
                {
                    // The system may have refused for want of just this.
                    retryNs = nowNs;
                    if (wasUsedUp)
                    {
                        // Shards were told that there is none left.
                        parts.forEach(GrowingPart::tell);
                    }
                }
                if (!isRefused || nowNs - retryNs >= 0)
                {
                    hasGrown |= growAll();
                }
                shrinking.step(nowNs);
                shrinking.onStarved(this::canHelp, nowNs);
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
            isRefused = true;
            parts.forEach(GrowingPart::tell);
        }
    }

    private void look(final long nowNs)
    {
        if (isReported && !isRefused && nowNs - refusedNs > QUIET_NS)
        {
            isReported = false;
            pauseNs = FIRST_PAUSE_NS;
            LOGGER.info("memory grows again: memory={}MiB limit={}MiB", memory.committed() >> 20,
                memory.limit() >> 20);
        }
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
        final int count = parts.size();
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

    /**
     * Adds a segment; whether there is one. In a share of the memory, a long record gets several: an index that needs
     * memory gets the last segment of the heap, if there is so much room elsewhere.
     */
    private boolean grow(final GrowingPart part)
    {
        final long step = plan.segment(part.held(), ofAll(part.left()), part.isIndex());
        final long wanted = Math.max(Math.max(step, lasting()), isDivided ?
            Math.min(part.missing(), plan.maxSegment()) : part.missing());
        final long most = Math.min(part.left(), part.most());
        final long least = Math.max(
            Math.max(plan.minSegment(), GrowthPlan.pageFloor(step / LEAST_PART_OF_STEP)), lasting());
        long length = Math.min(wanted, most);
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
        isRefused = false;
        part.tell();
        if (isUsedUp())
        {
            // Others may have thought that there is some.
            parts.forEach(GrowingPart::tell);
        }
        return true;
    }

    /** Once half of the directory is full, segments are at least so long that the other half lasts. */
    private long lasting()
    {
        final int capacity = plan.directoryCapacity();
        final long entries = memory.entriesLeft() - (long)PARTS_PER_SHARD * plan.shards().size();
        return 2 * entries >= capacity ? 0 : GrowthPlan.pageCeiling(memory.pool().left() / Math.max(1, entries));
    }

    /** Adds a segment of the least length or more; its length, or 0 if it is refused. */
    private long tryAdd(final GrowingPart part, final long length, final long least)
    {
        final boolean isLast = length <= least;
        try
        {
            return memory.add(part.end(), length, new Pace(part, least));
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
        return 0;
    }

    private void refused(final RuntimeException e)
    {
        refusals++;
        if (!isReported)
        {
            isReported = true;
            LOGGER.warn("memory cannot grow, the store goes on with what it has and tries again: {} " +
                "memory={}MiB limit={}MiB", e.getMessage(), memory.committed() >> 20, memory.limit() >> 20);
        }
        refusedNs = System.nanoTime();
        retryNs = refusedNs + pauseNs;
        pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
        isRefused = true;
        parts.forEach(GrowingPart::tell);
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
