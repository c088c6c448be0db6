package org.onesided.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.onesided.server.cluster.LeaseTime;
import org.onesided.server.raft.RaftShardLog;
import org.onesided.server.shard.Shard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member of a cluster does before it stops in order: for each partition that it leads, it ends its leases, and
 * gives leadership to another member, which need not wait then. It goes on without that where no other member is alive,
 * or one of the steps takes too long.
 */
final class LeaderHandover
{
    /** Longest time for all partitions. */
    static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);
    /** Longest time of it until RELEASE is logged. */
    private static final long RELEASE_NS = TimeUnit.SECONDS.toNanos(7);
    /** Longest time for one other member to take over. */
    private static final long TRANSFER_MS = 1500;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final Logger LOGGER = LoggerFactory.getLogger(LeaderHandover.class);

    private final int shard;
    private final RaftShardLog log;
    private final CompletableFuture<Boolean> released;
    /** Null while RELEASE is waited for. */
    private CompletableFuture<Void> given;

    private LeaderHandover(final int shard, final RaftShardLog log, final CompletableFuture<Boolean> released)
    {
        this.shard = shard;
        this.log = log;
        this.released = released;
    }

    /**
     * Hands over what this member leads, and waits until others lead it, or {@link #LONGEST_NS} are over.
     *
     * @param shards all of the table, which still run.
     * @param logs   gives the log of a shard by its number.
     * @param time   of leases.
     */
    static void run(final List<Shard> shards, final IntFunction<RaftShardLog> logs, final LeaseTime time)
    {
        final long beginNs = System.nanoTime();
        final List<LeaderHandover> all = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++)
        {
            if (logs.apply(i).canGiveAway())
            {
                // With long leases, the next leader waits as it does behind one that was killed.
                all.add(new LeaderHandover(i, logs.apply(i), time.waitNs() < RELEASE_NS ? shards.get(i).release() :
                    CompletableFuture.completedFuture(false)));
            }
        }
        while (all.stream().anyMatch((each) -> !each.isDone()) && System.nanoTime() - beginNs < LONGEST_NS &&
            !Thread.currentThread().isInterrupted())
        {
            all.forEach((each) -> each.step(System.nanoTime() - beginNs >= RELEASE_NS));
            LockSupport.parkNanos(LOOK_NS);
        }
        all.forEach((each) -> each.tell(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs)));
    }

    private void step(final boolean isLate)
    {
        if (given == null && (released.isDone() || isLate))
        {
            given = log.giveAway(TRANSFER_MS);
        }
    }

    private boolean isDone()
    {
        return given != null && given.isDone();
    }

    private void tell(final long tookMs)
    {
        if (isDone() && !given.isCompletedExceptionally())
        {
            LOGGER.info("partition is handed over: partition={} released={} took={}ms", shard,
                released.getNow(false) ? "yes" : "no", tookMs);
        }
        else
        {
            LOGGER.warn("partition is not handed over, the others may have to elect a leader: partition={} took={}ms",
                shard, tookMs);
        }
    }
}
