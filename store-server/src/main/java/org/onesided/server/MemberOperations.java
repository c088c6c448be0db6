package org.onesided.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.onesided.server.cluster.LeaseTime;
import org.onesided.server.cluster.ReignMetrics;
import org.onesided.server.cluster.ReignStage;
import org.onesided.server.operating.FollowerStand;
import org.onesided.server.operating.MemberStand;
import org.onesided.server.operating.Operations;
import org.onesided.server.operating.PartitionStand;
import org.onesided.server.operating.RefusedOperationException;
import org.onesided.server.raft.Follower;
import org.onesided.server.raft.LogLead;
import org.onesided.server.raft.RaftShardLog;
import org.onesided.server.shard.agent.Shard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this member of a cluster does for its operators. Thread-safe.
 */
final class MemberOperations implements Operations
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MemberOperations.class);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long STEP_DOWN_MS = 1500;
    private static final long STEP_DOWN_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Longest time for it, behind that of the handover. */
    private static final long STEP_DOWN_NS = TimeUnit.SECONDS.toNanos(5);

    private final long self;
    private final List<Shard> shards;
    private final IntFunction<RaftShardLog> logs;
    private final LeaseTime time;
    private final LongSupplier diskFree;
    private final Set<Integer> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean isStopping;

    /**
     * @param self     number of this member.
     * @param shards   all of the table, to be filled before the first call.
     * @param logs     gives the log of a shard by its number.
     * @param time     of leases.
     * @param diskFree bytes that are free for the member's data; -1 if that cannot be told.
     */
    MemberOperations(
        final long self,
        final List<Shard> shards,
        final IntFunction<RaftShardLog> logs,
        final LeaseTime time,
        final LongSupplier diskFree)
    {
        this.diskFree = diskFree;
        this.self = self;
        this.shards = shards;
        this.logs = logs;
        this.time = time;
    }

    /** Transfers that are under way are not waited for any more. */
    void stop()
    {
        isStopping = true;
    }

    @Override
    public MemberStand stand()
    {
        final List<PartitionStand> led = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++)
        {
            final ReignMetrics reign = shards.get(i).reign();
            if (reign.stage() != ReignStage.FOLLOWS)
            {
                led.add(new PartitionStand(i, reign));
            }
        }
        return new MemberStand(diskFree.getAsLong(), followers(), led, kept());
    }

    private List<FollowerStand> followers()
    {
        final List<FollowerStand> all = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++)
        {
            final int partition = i;
            logs.apply(i).lead().followers().stream().sorted(Comparator.comparingLong(Follower::member))
                .map((each) -> new FollowerStand(partition, each.member(), each.behind(), each.isInSync()))
                .forEach(all::add);
        }
        return all;
    }

    private List<Integer> kept()
    {
        return IntStream.range(0, shards.size()).filter((i) -> logs.apply(i).members().isKept()).boxed().toList();
    }

    @Override
    public void transfer(final int partition, final long member) throws RefusedOperationException
    {
        if (partition < 0 || partition >= shards.size())
        {
            throw new RefusedOperationException("there is no such partition: partition=" + partition +
                " partitions=" + shards.size());
        }
        final LogLead lead = logs.apply(partition).lead();
        if (!lead.isLeading())
        {
            throw new RefusedOperationException("this member does not lead the partition, another one may, or none " +
                "now: partition=" + partition + " member=" + self);
        }
        if (member == self)
        {
            return;
        }
        check(partition, member, lead);
        if (!logs.apply(partition).members().isAtRest(lead.followers().stream().map(Follower::member).toList()))
        {
            // Ratis would refuse it, when the leases are over already.
            throw new RefusedOperationException("the members of the partition change just now, try again later: " +
                "partition=" + partition);
        }
        if (isStopping)
        {
            throw new RefusedOperationException("this member is about to stop: member=" + self);
        }
        if (!underWay.add(partition))
        {
            throw new RefusedOperationException("another client transfers the partition just now: partition=" +
                partition);
        }
        try
        {
            handOver(partition, member, lead);
        }
        finally
        {
            underWay.remove(partition);
        }
    }

    private static void check(final int partition, final long member, final LogLead lead)
        throws RefusedOperationException
    {
        final Optional<Follower> follower =
            lead.followers().stream().filter((each) -> each.member() == member).findFirst();
        if (follower.isEmpty())
        {
            throw new RefusedOperationException("there is no such member in the partition's log: partition=" +
                partition + " member=" + member);
        }
        if (!follower.get().isInSync())
        {
            throw new RefusedOperationException("this member is not in sync, wait until it is: partition=" +
                partition + " member=" + member + " behind=" + follower.get().behind() + " silent=" +
                follower.get().silentMs() + "ms");
        }
    }

    /** Behind RELEASE, a leader does not serve any more in its term. If nobody took over, another term must begin. */
    private void stepDown(final int partition, final LogLead lead, final long beginNs)
    {
        CompletableFuture<Void> request = null;
        while (lead.isLeading() && !isStopping &&
            System.nanoTime() - beginNs < PartitionHandover.LONGEST_NS + STEP_DOWN_NS)
        {
            if (request == null || request.isDone())
            {
                LOGGER.warn("partition is not handed over, all elect a leader: partition={}", partition);
                request = lead.stepDown(STEP_DOWN_MS);
            }
            LockSupport.parkNanos(STEP_DOWN_PAUSE_NS);
        }
    }

    private void handOver(final int partition, final long member, final LogLead lead)
        throws RefusedOperationException
    {
        final long beginNs = System.nanoTime();
        final PartitionHandover handover = PartitionHandover.to(
            member, lead, () -> LeaderHandover.release(shards.get(partition), time));
        try
        {
            while (!handover.isDone() && System.nanoTime() - beginNs < PartitionHandover.LONGEST_NS && !isStopping)
            {
                handover.step(System.nanoTime() - beginNs);
                LockSupport.parkNanos(LOOK_NS);
            }
        }
        finally
        {
            stepDown(partition, lead, beginNs);
        }
        if (!lead.isLedBy(member))
        {
            throw new RefusedOperationException("the member did not take over in time, the partition may have " +
                "another leader now: partition=" + partition + " member=" + member);
        }
        LOGGER.info("partition is transferred: partition={} member={} released={} took={}ms", partition, member,
            handover.isReleased() ? "yes" : "no", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs));
    }
}
