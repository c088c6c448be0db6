package org.onesided.server.table;

import org.agrona.collections.LongArrayList;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;

/**
 * Numbers of a shard's overflow buckets: chains take them and give them back. Not thread-safe.
 */
final class OverflowBuckets
{
    /** Memory is asked for as soon as there is none for so many: a split takes up to two chains. */
    private static final int LEAST_AHEAD = 2 * BucketDescriptor.MAX_CHAIN_LENGTH;

    private final long count;
    private final PartMemory memory;
    /** From here on none was ever in a chain. */
    private long begun;
    private final LongArrayList free = new LongArrayList();

    /**
     * @param count  how many there may be.
     * @param memory that they are in.
     */
    OverflowBuckets(final long count, final PartMemory memory)
    {
        this.count = count;
        this.memory = memory;
    }

    /** Whether so many can be taken now. */
    boolean has(final long wanted)
    {
        return wanted <= free.size() ||
            wanted - free.size() <= Math.min(count, memory.usable() / BucketDescriptor.LENGTH) - begun;
    }

    /** Asks for memory ahead of need, so that buckets can be taken soon. */
    void prepareAhead()
    {
        final long wanted = Math.max(LEAST_AHEAD, memory.ahead() / BucketDescriptor.LENGTH);
        final long length = Math.min(count, begun + wanted) * BucketDescriptor.LENGTH;
        if (memory.usable() < length)
        {
            memory.ensure(length);
        }
    }

    /** Asks for one; why there is none, or OK. */
    Status room()
    {
        return room(1);
    }

    /** Asks for so many; why there are fewer, or OK. */
    Status room(final int wanted)
    {
        if (has(wanted))
        {
            return Status.OK;
        }
        prepareAhead();
        if (memory.isRefused())
        {
            return Status.GROWTH_REFUSED;
        }
        final long all = begun + wanted - free.size();
        if (all <= count && memory.growable() > 0 && !memory.ensure(all * BucketDescriptor.LENGTH))
        {
            memory.await();
            return Status.BUSY;
        }
        // Nothing is on its way any more, but it may have come since.
        return has(wanted) ? Status.OK : Status.INDEX_FULL;
    }

    /** Takes one, which {@link #has} said was there. */
    long take()
    {
        return free.isEmpty() ? begun++ : free.removeAt(free.size() - 1);
    }

    /** Takes back one that is in no chain any more. */
    void giveBack(final long number)
    {
        free.addLong(number);
    }

    /** How many are in chains. */
    long used()
    {
        return begun - free.size();
    }

    /** How many were ever in a chain. */
    long begun()
    {
        return begun;
    }
}
