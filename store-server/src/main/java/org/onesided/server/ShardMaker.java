package org.onesided.server;

import java.util.List;
import java.util.function.Supplier;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.eviction.ShardEviction;
import org.onesided.server.expiry.ShardClock;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.session.ServedDevice;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.shard.agent.ShardDevice;
import org.onesided.server.shard.agent.ShardListener;
import org.onesided.server.shard.logged.ShardDurability;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardMemory;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.TableTime;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;

/**
 * Makes the shards of a server: each has a part of the table, and queues of each device. Belongs to the thread that
 * starts the server.
 *
 * @param options    of the server.
 * @param resources  that the shards and their queues are added to.
 * @param plan       of the table.
 * @param memory     of the table.
 * @param superblock of the table.
 * @param durability of the table; null if it is in memory only.
 * @param offer      devices that are offered.
 * @param geometry   of sessions.
 * @param listener   to all shards.
 */
record ShardMaker(
    ServerOptionValues options,
    ServerResources resources,
    GrowthPlan plan,
    ServerMemory memory,
    Superblock superblock,
    Durability durability,
    List<ServedDevice> offer,
    SessionGeometry geometry,
    ShardListener listener)
{
    /** Term in the versions of records; constant, because no table outlives its server. */
    private static final int SERVER_TERM = 1;

    /**
     * Makes a shard, which does not run yet.
     *
     * @param number of the shard, from 0.
     * @param made   gives the shard, once it is there.
     */
    Shard make(final int number, final Supplier<Shard> made)
    {
        final ShardMemory parts = memory.shards().get(number);
        final ShardClock clock = new ShardClock(System::nanoTime, System::currentTimeMillis);
        final ShardTable table = new ShardTable(
            memory.table().range(), superblock, number, SERVER_TERM, parts,
            durability == null ? new TableTime(clock, TableTime.ttlMs(options.defaultTtlNs())) :
                durability.time(number).ofTable());
        final ShardDurability ofShard =
            durability == null ? null : durability.shard(number, parts, plan.memoryShare(), made);
        return resources.add(new Shard(
            number, plan.shards().size(), table,
            ShardEviction.begin(options.evict(), table, number, durability != null),
            new KeyHash(superblock.hashSeed()), geometry, offer.stream().map(this::device).toList(), listener,
            options.roomWaitNs(), clock, options.measuresTimes(), ofShard));
    }

    private ShardDevice device(final ServedDevice served)
    {
        final Context context = served.device().context();
        final CompletionChannel channel = resources.add(context.createCompletionChannel());
        final CompletionQueue queue = resources.add(
            context.createCompletionQueue(served.maxSessions() * geometry.completions(), channel, 0));
        return new ShardDevice(served.device().kind(), channel, queue, served.keys());
    }
}
