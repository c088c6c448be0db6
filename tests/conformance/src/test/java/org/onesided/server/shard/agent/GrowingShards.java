package org.onesided.server.shard.agent;

import java.util.ArrayList;
import java.util.List;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.memory.GrowthListener;
import org.onesided.server.memory.MemoryGrowth;
import org.onesided.server.memory.RetiredMemory;
import org.onesided.server.memory.TableMemory;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardMemory;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.ProtectionDomain;

/** The memory of a server with a log: it grows as its shards ask for it. There are no clients. */
final class GrowingShards implements GrowthListener, AutoCloseable
{
    private static final long PAGE = 4096;
    /** So long a heap is left alone, as in runs that kill servers. */
    private static final long RELEASE_NS = 1_000_000;

    private final Context context = Devices.find("tcp").open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final TableMemory memory;
    private final MemoryGrowth growth;
    private final List<LoggedTable.Place> places = new ArrayList<>();
    private volatile Throwable failure;

    /**
     * @param length of the memory in bytes.
     * @param shards of the table.
     */
    GrowingShards(final long length, final int shards)
    {
        final GrowthPlan plan = GrowthPlan.of(length, shards, 1, PAGE);
        final Superblock superblock = plan.superblock(1, 2, 3, 4);
        memory = new TableMemory(
            context.allocateGrowable(plan.regionLength(), HugePages.OFF), plan, List.of(domain));
        superblock.write(memory.range().address());
        growth = new MemoryGrowth(memory, plan, true, RELEASE_NS, this);
        for (int i = 0; i < shards; i++)
        {
            final ShardMemory parts = growth.addShard(i, plan.initialHeap(0));
            places.add(new LoggedTable.Place(
                memory.range(), superblock, i, parts, plan.memoryShare(), parts::indexBytes));
        }
        growth.start();
    }

    LoggedTable.Place place(final int number)
    {
        return places.get(number);
    }

    @Override
    public void onGrown(final int shard)
    {
        // Shards are stepped all the time.
    }

    @Override
    public void retire(final RetiredMemory retired, final Runnable then)
    {
        then.run();
    }

    @Override
    public void onLook()
    {
        // The memory is that of the test.
    }

    @Override
    public void onFailed(final Throwable cause)
    {
        failure = cause;
    }

    @Override
    public void close()
    {
        growth.close();
        memory.close();
        domain.close();
        context.close();
        if (failure != null)
        {
            throw new AssertionError(failure);
        }
    }
}
