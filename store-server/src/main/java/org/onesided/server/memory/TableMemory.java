package org.onesided.server.memory;

import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.onesided.protocol.table.SegmentDirectoryDescriptor;
import org.onesided.server.table.GrowthPlan;
import org.onesided.verbs.Access;
import org.onesided.verbs.Errno;
import org.onesided.verbs.GrowableMemory;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table's addresses, and the segments of memory behind them. Each segment is registered with each device, so that
 * only memory that is there is pinned, and published in the device's directory. A device that registers on demand has
 * one region for all segments behind the first: their entries name the same key, so a client sees those that adjoin as
 * one. One thread at a time adds segments, and removes them.
 */
public final class TableMemory implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(TableMemory.class);

    /** A device's view of the segments. */
    private static final class View
    {
        private final ProtectionDomain domain;
        private final long directory;
        /**
         * In the order of the directory's entries, null for those that were removed; the first one and that of all
         * addresses, where the device registers on demand.
         */
        private final List<MemoryRegion> regions = new ArrayList<>();
        private final SegmentKeys keys = new SegmentKeys();
        /** Covers all addresses; null if the device registers segment by segment. */
        private MemoryRegion onDemand;

        View(final ProtectionDomain domain, final long directory)
        {
            this.domain = domain;
            this.directory = directory;
        }
    }

    /** A directory's entry that may be used again, and one of a segment that a device keeps. */
    private static final Long GONE = -1L;
    private static final Long KEPT = -2L;

    private final GrowableMemory memory;
    private final GrowthPlan plan;
    private final MemoryPool pool;
    private final List<View> views = new ArrayList<>();
    /** Table offsets of the directories' entries, negative where a segment was removed. */
    private final List<Long> offsets = new ArrayList<>();
    private volatile int segments;
    private boolean isKeptReported;

    /**
     * Takes over memory, and commits the first segment.
     *
     * @param memory  addresses of the table, owned by this even if it throws.
     * @param plan    of the table.
     * @param domains of the devices, in their order.
     * @throws VerbsException if the first segment cannot be had.
     */
    public TableMemory(final GrowableMemory memory, final GrowthPlan plan, final List<ProtectionDomain> domains)
    {
        this.memory = memory;
        this.plan = plan;
        pool = new MemoryPool(plan.memory());
        boolean success = false;
        try
        {
            for (int i = 0; i < domains.size(); i++)
            {
                views.add(new View(domains.get(i), plan.directory(i)));
            }
            add(0, plan.startLength(), CommitPace.AT_ONCE);
            count(plan.startLength());
            views.forEach(this::registerOnDemand);
            success = true;
        }
        finally
        {
            if (!success)
            {
                CloseHelper.quietClose(this);
            }
        }
    }

    /**
     * Adds a segment: commits it, registers it, and publishes it. The caller must call {@link #count} after it has made
     * the segment usable. A shard that saw neither the segment nor its bytes in the pool would refuse puts.
     *
     * @param offset in the table.
     * @param most   bytes.
     * @param pace   of making it usable; may end it before it has so many.
     * @return its length in bytes.
     * @throws VerbsException if the system or a device refuses, or it gives up; then there is no such segment.
     */
    long add(final long offset, final long most, final CommitPace pace)
    {
        final int entry = offsets.size() < plan.directoryCapacity() ? offsets.size() : offsets.indexOf(GONE);
        if (entry < 0)
        {
            throw new VerbsException("reg_mr", Errno.ENOMEM,
                "the table's directory of segments is full, start the server with more initial memory: entries=" +
                    offsets.size());
        }
        final List<MemoryRegion> made = new ArrayList<>();
        final MemoryRange range;
        boolean success = false;
        try
        {
            memory.checkGrowth(most);
            range = memory.range().slice(offset, commit(offset, most, pace));
            for (final View view : views)
            {
                made.add(view.onDemand == null ? register(view, range) : null);
            }
            success = true;
        }
        finally
        {
            if (!success)
            {
                CloseHelper.quietCloseAll(made);
                giveBack(offset, most);
            }
        }
        pool.kept(memory.kept());
        for (int i = 0; i < made.size(); i++)
        {
            final MemoryRegion region = made.get(i);
            final View view = views.get(i);
            if (region != null)
            {
                put(view.regions, entry, region);
                view.keys.add(region);
            }
            publish(view, entry, range, region == null ? view.onDemand : region);
        }
        put(offsets, entry, offset);
        segments++;
        return range.length();
    }

    private static <T> void put(final List<T> list, final int index, final T element)
    {
        if (index == list.size())
        {
            list.add(element);
        }
        else
        {
            list.set(index, element);
        }
    }

    private void publish(final View view, final int entry, final MemoryRange range, final MemoryRegion region)
    {
        final long directory = memory.range().address() + view.directory;
        final long offset = range.address() - memory.range().address();
        if (entry == offsets.size())
        {
            SegmentDirectoryDescriptor.add(
                directory, entry, offset, range.length(), range.address(), region.remoteKey());
        }
        else
        {
            SegmentDirectoryDescriptor.replace(
                directory, entry, offset, range.length(), range.address(), region.remoteKey());
        }
    }

    /**
     * Marks a segment as removed, though it is there: clients that learn of segments from now on do not learn of it.
     *
     * @param offset of the segment in the table.
     */
    void retire(final long offset)
    {
        final int entry = entry(offset);
        for (final View view : views)
        {
            SegmentDirectoryDescriptor.remove(memory.range().address() + view.directory, entry);
        }
    }

    /**
     * Publishes a segment again that was marked as removed.
     *
     * @param offset of the segment in the table.
     * @param length of the segment in bytes.
     */
    void restore(final long offset, final long length)
    {
        final int entry = entry(offset);
        final MemoryRange range = memory.range().slice(offset, length);
        for (final View view : views)
        {
            publish(view, entry, range, view.onDemand == null ? view.regions.get(entry) : view.onDemand);
        }
    }

    /**
     * Removes a segment that no client READs and no shard uses any more: deregisters it, and gives its pages back,
     * also those that it shares with segments beside it that were removed. A device that registers on demand keeps its
     * region: a READ there gets zeros.
     *
     * @param offset of the segment in the table.
     * @param length of the segment in bytes.
     * @param before bytes of segments right before it that were removed.
     * @param behind bytes of segments right behind it that were removed.
     * @return whether its memory is free, though the system may not take it back; if not, a device keeps it.
     */
    boolean remove(final long offset, final long length, final long before, final long behind)
    {
        final int entry = entry(offset);
        boolean isFree = true;
        for (final View view : views)
        {
            SegmentDirectoryDescriptor.remove(memory.range().address() + view.directory, entry);
            isFree &= view.onDemand != null || deregister(view, entry);
        }
        segments--;
        offsets.set(entry, isFree ? GONE : KEPT);
        if (isFree)
        {
            pool.give(length);
            giveBack(offset - before, before + length + behind);
        }
        return isFree;
    }

    /** Gives pages back; those that the system does not take go on counting as used. */
    private void giveBack(final long offset, final long length)
    {
        try
        {
            memory.release(offset, length);
        }
        catch (final VerbsException e)
        {
            if (!isKeptReported)
            {
                isKeptReported = true;
                LOGGER.warn("memory that nobody uses any more stays and counts as used: {}", e.getMessage());
            }
        }
        pool.kept(memory.kept());
    }

    private int entry(final long offset)
    {
        final int entry = offsets.indexOf(offset);
        if (entry < 0)
        {
            throw new IllegalStateException("no segment begins here: offset=" + offset);
        }
        return entry;
    }

    private boolean deregister(final View view, final int entry)
    {
        final MemoryRegion region = view.regions.get(entry);
        view.keys.remove(region);
        try
        {
            region.close();
            view.regions.set(entry, null);
            return true;
        }
        catch (final VerbsException e)
        {
            LOGGER.error("memory that nobody uses any more stays registered: device={} length={} cause={}",
                view.domain.context().device().name(), region.range().length(), e.getMessage());
            return false;
        }
    }

    /**
     * @return entries that may still be written, those of removed segments included.
     */
    long entriesLeft()
    {
        return plan.directoryCapacity() - (offsets.size() - offsets.stream().filter(GONE::equals).count());
    }

    /** Counts a segment that was added. */
    void count(final long length)
    {
        pool.take(length);
    }

    private long commit(final long offset, final long most, final CommitPace pace)
    {
        long pieceNs = 0;
        final long pieceLength = pace.pieceLength();
        long done = 0;
        while (done < most && !pace.isEnough(done))
        {
            if (!pace.next(pieceNs))
            {
                throw new VerbsException("allocate", Errno.EINTR, "the store is about to stop: length=" + most);
            }
            final long beginNs = System.nanoTime();
            final long length = Math.min(pieceLength, most - done);
            memory.commit(offset + done, length);
            pieceNs = System.nanoTime() - beginNs;
            done += length;
        }
        return done;
    }

    private void registerOnDemand(final View view)
    {
        if (view.domain.context().registersOnDemand())
        {
            view.onDemand = register(view, memory.range());
            view.regions.add(view.onDemand);
        }
    }

    private MemoryRegion register(final View view, final MemoryRange range)
    {
        try
        {
            return view.domain.register(range, Access.REMOTE_READ | Access.LOCAL_WRITE);
        }
        catch (final VerbsException e)
        {
            throw views.size() == 1 ? e : e.with("device=" + view.domain.context().device().name());
        }
    }

    MemoryPool pool()
    {
        return pool;
    }

    /**
     * @return all addresses of the table; of its memory only what is there may be used.
     */
    public MemoryRange range()
    {
        return memory.range();
    }

    /**
     * @return whether most of the memory is in huge pages.
     */
    public boolean hugePages()
    {
        return memory.hugePages();
    }

    /**
     * @param device index of a device.
     * @return the segment that its clients are told of: the first one.
     */
    public MemoryRegion firstSegment(final int device)
    {
        return views.get(device).regions.get(0);
    }

    /**
     * @param device index of a device.
     * @return table offset of its directory.
     */
    public long directory(final int device)
    {
        return views.get(device).directory;
    }

    /**
     * @param device index of a device.
     * @return keys of its segments for work requests of this side.
     */
    public LocalKeys keys(final int device)
    {
        final View view = views.get(device);
        return view.onDemand == null ? view.keys : LocalKeys.of(view.onDemand.localKey());
    }

    /**
     * @return how many segments there are; safe to ask from any thread.
     */
    public int segments()
    {
        return segments;
    }

    /**
     * @return bytes of the segments, and those that the system did not take back of removed ones; safe to ask from any
     *         thread.
     */
    public long committed()
    {
        return pool.committed();
    }

    /**
     * @return bytes of superblock and directories.
     */
    public long startLength()
    {
        return plan.startLength();
    }

    /**
     * @return most bytes of segments there may be.
     */
    public long limit()
    {
        return pool.limit();
    }

    @Override
    public void close()
    {
        final List<AutoCloseable> all = new ArrayList<>();
        views.forEach((view) -> all.addAll(view.regions));
        all.add(memory);
        CloseHelper.closeAll(all);
    }
}
