package org.onesided.server.shard.logged;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.log.LogListener;
import org.onesided.server.log.ShardLog;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.DurabilityMetrics;
import org.onesided.server.shard.apply.EntryApplier;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.proposal.LoggedEvictions;
import org.onesided.server.shard.proposal.LoggedPulls;
import org.onesided.server.shard.proposal.LoggedRoom;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.shard.proposal.MemoryWait;
import org.onesided.server.shard.proposal.Proposals;
import org.onesided.server.shard.reign.Leadership;
import org.onesided.server.shard.reign.ShardLeases;
import org.onesided.server.shard.reign.ShardReign;
import org.onesided.server.shard.reign.ShardRole;
import org.onesided.server.shard.session.LoggedSessions;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.server.shard.snapshot.ShardRecovery;
import org.onesided.server.shard.snapshot.ShardSnapshots;
import org.onesided.server.shard.snapshot.SnapshotLoad;
import org.onesided.server.shard.snapshot.SnapshotPace;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.table.ShardTable;

/**
 * The way of a shard's writes through its log: what comes in a round is proposed as one entry, and takes effect when
 * the entry is handed over. Nothing of it is visible before, and nothing is answered. Belongs to the shard's thread.
 */
public final class LoggedShard implements LogListener, AutoCloseable
{
    /** After so long the agent looks again whether there is room, or the log takes more. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ShardLog log;
    private final ShardTable table;
    private final LoggedTime time;
    private final LongSupplier clock;
    private final RequestExecutor executor;
    private final Proposals proposals;
    private final LoggedSessions sessions;
    private final ProposedSessions proposedSessions;
    private final LoggedRoom room;
    private final LoggedPulls pulls;
    private final EntryApplier applier;
    private final ShardRecovery recovery;
    private final ShardReign reign;
    private final SnapshotStore store;
    private final ShardSnapshots snapshots;
    private final LoggedEntries entries;
    private final LoggedWrites writes;
    private final UnsafeBuffer answer = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(SessionGeometry.MAX_INLINE, Long.BYTES));
    /** These are read by any thread. */
    private volatile boolean takesWrites;
    private volatile long logFailures;

    /**
     * @param number     of the shard.
     * @param shards     how many there are.
     * @param durability of the shard.
     * @param table      of the shard.
     * @param executor   of the shard.
     * @param keyHash    of the table.
     * @param geometry   of the shard's sessions.
     * @param clock      of the shard, in milliseconds.
     * @param onRole     told each time that this member begins or ends to serve, or hears of another leader.
     */
    public LoggedShard(
        final int number,
        final int shards,
        final ShardDurability durability,
        final ShardTable table,
        final RequestExecutor executor,
        final KeyHash keyHash,
        final SessionGeometry geometry,
        final LongSupplier clock,
        final Consumer<ShardRole> onRole)
    {
        this.table = table;
        this.clock = clock;
        this.executor = executor;
        log = durability.log();
        time = durability.time();
        store = durability.snapshots();
        sessions = new LoggedSessions(geometry, durability.isReplicated());
        proposals = new Proposals(
            log, durability.life(), clock, time, durability.defaultTtlMs(), durability.isDurable());
        final Leadership leadership = new Leadership(durability.isReplicated());
        reign = new ShardReign(leadership, new ShardLeases(durability.replication()), proposals, onRole);
        proposedSessions = new ProposedSessions(proposals, sessions, leadership, this::hasPulls);
        final LoggedEvictions evictions = new LoggedEvictions(table, proposals);
        room = new LoggedRoom(table, durability.memoryShare(), durability.indexBytes(), evictions);
        final LongSupplier nanoClock = () -> TimeUnit.MILLISECONDS.toNanos(clock.getAsLong());
        pulls = new LoggedPulls(
            table, executor, proposals, room, answer, proposedSessions::open, new MemoryWait(nanoClock));
        applier = new EntryApplier(
            executor, sessions, time, pulls, room, evictions, keyHash, answer, new MemoryWait(nanoClock));
        final SnapshotLoad load = durability.newest() == null ? null :
            new SnapshotLoad(durability.newest(), table, keyHash, sessions, time, System::nanoTime);
        recovery = new ShardRecovery(load, applier, durability.onReadBack(), durability.onRecovered());
        snapshots = new ShardSnapshots(
            number, shards, store, log, new SnapshotPace(durability.snapshotLog(), durability.snapshotEntries()),
            table, sessions, time, pulls, applier);
        entries = new LoggedEntries(
            log, table, proposals, sessions, room, pulls, applier, recovery, snapshots, reign);
        writes = new LoggedWrites(table, proposals, sessions, proposedSessions, room, snapshots);
    }

    private boolean hasPulls(final long session)
    {
        return pulls.concern(session);
    }

    /**
     * @return what this member is to the log.
     */
    public ShardReign reign()
    {
        return reign;
    }

    /**
     * @return the sessions that the log knows.
     */
    public LoggedSessions sessions()
    {
        return sessions;
    }

    /**
     * @return tells the log of sessions.
     */
    public ProposedSessions proposedSessions()
    {
        return proposedSessions;
    }

    /**
     * @return the way of requests into the log.
     */
    public LoggedWrites writes()
    {
        return writes;
    }

    /**
     * @return large values on their way through the log.
     */
    public LoggedPulls pulls()
    {
        return pulls;
    }

    /**
     * @return the way of entries out of the log.
     */
    public LoggedEntries entries()
    {
        return entries;
    }

    /**
     * @return writes the shard's snapshots.
     */
    public ShardSnapshots snapshots()
    {
        return snapshots;
    }

    /**
     * @return whether entries can be had that prove that this member leads.
     */
    public boolean takesProofs()
    {
        return proposals.isOpen() || log.takesProofs();
    }

    /**
     * Applies what is committed, a bounded number of entries.
     *
     * @return how much was done.
     */
    public int poll()
    {
        room.nextRound();
        reign.tryServe(sessions);
        if (recovery.isLoading())
        {
            return load();
        }
        int count = entries.poll(this);
        count += pulls.step();
        count += recovery.isOver() ? snapshots.step(count > 0) : 0;
        takesWrites = writes.areTaken();
        return count;
    }

    private int load()
    {
        final int done = recovery.load();
        if (!recovery.isLoading())
        {
            entries.onLoaded();
        }
        return done;
    }

    /**
     * Proposes what the round has collected. Also lets the table's time go on if a key is to expire, although nothing
     * is written.
     *
     * @return how many entries were proposed.
     */
    public int flush()
    {
        final boolean isTime = writes.areTaken() && proposals.isIdle() && expiresInMs() <= 0;
        if (isTime)
        {
            proposals.tick();
        }
        final ShardLeases leases = reign.leases();
        if (leases.needsProof())
        {
            proposals.want();
        }
        proposedSessions.proposeEnds();
        reign.release().step();
        final boolean isBare = !isTime && proposals.isBare();
        final int count = proposals.isOpen() ? proposals.flush() : proveWithoutRoom();
        leases.onProposed(count, isBare);
        return count;
    }

    /** A log that takes no writes for want of room lets lookups go on: the proofs of leases are short and few. */
    private int proveWithoutRoom()
    {
        if (!log.takesProofs())
        {
            reign.leases().refuseAll();
            return 0;
        }
        return reign.leases().sparseProofNs() == 0 && proposals.tryProve() ? 1 : 0;
    }

    /** Milliseconds until the next look at a key that may expire; {@link Long#MAX_VALUE} for never. */
    private long expiresInMs()
    {
        final long restMs = table.expiryRestMs();
        return restMs == Long.MAX_VALUE ? restMs : time.getAsLong() + restMs - clock.getAsLong();
    }

    /**
     * @return how long the agent may sleep, in nanoseconds, unless the log or a request wakes it.
     */
    public long sleepNs()
    {
        if (entries.isUnfinished() || recovery.isLoading() || proposals.isHeldUp() || snapshots.isUnderWay() ||
            room.awaitsVictims() || reign.release().isUnderWay())
        {
            return RETRY_NS;
        }
        final ShardLeases leases = reign.leases();
        final long restMs = writes.areTaken() && proposals.isIdle() ? expiresInMs() : Long.MAX_VALUE;
        final long proofNs = proposals.isOpen() ? Long.MAX_VALUE : Math.max(RETRY_NS, leases.sparseProofNs());
        return Math.min(Math.min(Math.min(leases.restNs(), proofNs), snapshots.restNs()),
            restMs == Long.MAX_VALUE ? restMs : TimeUnit.MILLISECONDS.toNanos(Math.max(0, restMs)));
    }

    @Override
    public void onEntry(final long index, final long term, final DirectBuffer entry, final int offset, final int length)
    {
        entries.onEntry(index, term, entry, offset, length);
    }

    @Override
    public void onLeading(final long term, final long index)
    {
        reign.onLeading(term, entries.isReleaseBefore(index));
    }

    @Override
    public void onFollowing(final long term, final long leader)
    {
        if (reign.onFollowing(term, leader))
        {
            proposals.stop();
            takesWrites = false;
            proposedSessions.clear();
            sessions.onDeposed();
            // Their queue pairs end, so none is left that READs a lent value.
            sessions.forEach(executor::releaseAll);
            sessions.connected().forEach((session) -> session.listener().onLogFailed());
        }
        if (!recovery.isOver())
        {
            // What is in the log is applied when the leader says how far it is committed: nobody waits for that.
            recovery.end();
        }
    }

    @Override
    public void onInstalled(final long index)
    {
        throw new SnapshotInstalledException(index);
    }

    @Override
    public void onReady()
    {
        final boolean hasFollowed = reign.onReady();
        room.clear();
        proposals.begin();
        final List<ShardSession> lost = sessions.onLost();
        if (hasFollowed)
        {
            pulls.onDeposed();
            sessions.onLeading();
        }
        proposedSessions.renew();
        // From here on, requests that waited are proposed.
        pulls.onLost();
        lost.forEach((session) -> session.listener().onLogLost());
        takesWrites = writes.areTaken();
        if (!recovery.isOver())
        {
            sessions.forEach((session) -> session.window().recovered());
            recovery.end();
        }
    }

    @Override
    public void onFailed(final String reason)
    {
        proposals.stop();
        reign.release().cancel();
        // What is on its way out may stay, and lookups go on: it can be lent again.
        room.clear();
        takesWrites = false;
        logFailures++;
        sessions.connected().forEach((session) -> session.listener().onLogFailed());
    }

    /** The shard stops: values in a log that has failed are given up. */
    public void stop()
    {
        if (!proposals.isOpen())
        {
            pulls.onLost();
        }
    }

    /**
     * @return how the table stands on disk. Safe to ask from any thread.
     */
    public DurabilityMetrics metrics()
    {
        return new DurabilityMetrics(
            entries.appliedIndex(), takesWrites, logFailures, log.diskBytes(), store.newestIndex(), store.newestBytes(),
            store.newestIndex() < 0 ? -1 : Math.max(0, System.currentTimeMillis() - store.newestCreatedMs()),
            snapshots.progress(), snapshots.failures(), entries.sessionCount());
    }

    @Override
    public void close()
    {
        recovery.close();
        snapshots.close();
        applier.close();
    }
}
