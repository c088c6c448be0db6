package org.onesided.server;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.onesided.server.cluster.LeaseTime;
import org.onesided.server.raft.RaftShardLog;
import org.onesided.server.shard.agent.Shard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member of a cluster does before it stops in order: it lets others lead each partition that it leads. It goes
 * on without that where no other member is alive, or one of the steps takes too long.
 */
final class LeaderHandover
{
    private static final Logger LOGGER = LoggerFactory.getLogger(LeaderHandover.class);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private LeaderHandover()
    {
    }

    /**
     * Hands over what this member leads, and waits until others lead it, or {@link PartitionHandover#LONGEST_NS} are
     * over.
     *
     * @param shards all of the table, which still run.
     * @param logs   gives the log of a shard by its number.
     * @param time   of leases.
     */
    static void run(final List<Shard> shards, final IntFunction<RaftShardLog> logs, final LeaseTime time)
    {
        final long beginNs = System.nanoTime();
        final Map<Integer, PartitionHandover> all = new TreeMap<>();
        for (int i = 0; i < shards.size(); i++)
        {
            if (logs.apply(i).lead().canGiveAway())
            {
                final Shard shard = shards.get(i);
                all.put(i, PartitionHandover.toAny(logs.apply(i).lead(), () -> release(shard, time)));
            }
        }
        while (all.values().stream().anyMatch((each) -> !each.isDone()) &&
            System.nanoTime() - beginNs < PartitionHandover.LONGEST_NS && !Thread.currentThread().isInterrupted())
        {
            all.values().forEach((each) -> each.step(System.nanoTime() - beginNs));
            LockSupport.parkNanos(LOOK_NS);
        }
        final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
        all.forEach((partition, each) -> tell(partition, each, tookMs));
    }

    /** With long leases, the next leader waits as it does behind one that was killed. */
    static CompletableFuture<Boolean> release(final Shard shard, final LeaseTime time)
    {
        return time.waitNs() < PartitionHandover.RELEASE_NS ? shard.release() :
            CompletableFuture.completedFuture(false);
    }

    private static void tell(final int partition, final PartitionHandover handover, final long tookMs)
    {
        if (handover.isHandedOver())
        {
            LOGGER.info("partition is handed over: partition={} released={} took={}ms", partition,
                handover.isReleased() ? "yes" : "no", tookMs);
        }
        else
        {
            LOGGER.warn("partition is not handed over, the others may have to elect a leader: partition={} took={}ms",
                partition, tookMs);
        }
    }
}
