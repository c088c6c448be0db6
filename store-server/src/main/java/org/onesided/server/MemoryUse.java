package org.onesided.server;

import java.util.List;
import org.onesided.server.memory.MemoryGrowth;
import org.onesided.server.memory.MemoryMetrics;
import org.onesided.server.memory.TableMemory;
import org.onesided.server.memory.UsageMarks;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.table.ShardMemory;

/**
 * How much of a table's memory is used, and by what. Thread-safe; one thread checks the marks.
 */
final class MemoryUse
{
    private final TableMemory memory;
    private final MemoryGrowth growth;
    private final List<ShardMemory> shardMemories;
    private final List<Shard> shards;
    private final UsageMarks marks;

    /**
     * @param memory of the server.
     * @param shards of the server, once they are made.
     * @param evicts whether records leave when the memory is full.
     */
    MemoryUse(final ServerMemory memory, final List<Shard> shards, final boolean evicts)
    {
        this.memory = memory.table();
        this.shards = shards;
        growth = memory.growth();
        shardMemories = memory.shards();
        marks = new UsageMarks(this::used, this.memory.limit(), evicts);
    }

    MemoryMetrics metrics()
    {
        return new MemoryMetrics(
            memory.segments(), memory.committed(), memory.limit(), used(),
            shardMemories.stream().mapToLong((each) -> each.indexRetiredBytes() + each.heapRetiredBytes()).sum(),
            shardMemories.stream().mapToLong((each) -> each.indexReleasedBytes() + each.heapReleasedBytes()).sum(),
            marks.reached(), growth.refusals());
    }

    /** Logs it if the use has reached a mark. To be called now and then. */
    void check()
    {
        marks.check();
    }

    /** What is not free in heaps counts as used. */
    private long used()
    {
        // Once a second, and so without an allocation.
        long used = memory.startLength();
        for (int i = 0; i < shards.size(); i++)
        {
            used += shardMemories.get(i).indexBytes() + shards.get(i).heapBytesUsed();
        }
        return used;
    }
}
