package org.onesided.server.shard;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.log.ItemKind;
import org.onesided.server.log.LogListener;
import org.onesided.server.log.ShardLog;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.table.ShardTable;

/**
 * The way of a shard's writes through its log: what comes in a round is proposed as one entry, and takes effect when
 * the entry is handed over. Nothing of it is visible before, and nothing is answered. Belongs to the shard's thread.
 */
final class LoggedShard implements LogListener, AutoCloseable
{
    /** Entries that a round applies. */
    private static final int MAX_ENTRIES = 64;
    /** Granules that a round may touch to make room for a request that waits for it. */
    private static final long ROOM_BUDGET = 1 << 14;
    private static final int MAX_SPLITS = 64;
    /** Keys with a time that are looked at between two looks at the buckets. */
    private static final int MAX_EXPIRED = 1024;
    /** After so long the agent looks again whether there is room, or the log takes more. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ShardLog log;
    private final ShardTable table;
    private final LoggedTime time;
    private final LongSupplier clock;
    private final Proposals proposals;
    private final LoggedSessions sessions;
    private final LoggedRoom room;
    private final LoggedPulls pulls;
    private final EntryApplier applier;
    private final RequestExecutor executor;
    private final Leadership leadership;
    private final ShardLeases leases;
    private final ShardRelease release;
    private final Consumer<ShardRole> onRole;
    /** Sessions whose end is to be proposed, as soon as the log takes that and has all of their values. */
    private final LongArrayList ended = new LongArrayList();
    private final SnapshotStore store;
    private final ShardSnapshots snapshots;
    private final LongConsumer onReadBack;
    private final Runnable onRecovered;
    private final UnsafeBuffer answer = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(SessionGeometry.MAX_INLINE, Long.BYTES));
    /** Null once the snapshot is loaded. */
    private SnapshotLoad load;
    private boolean isUnfinished;
    private boolean isReplayed;
    /** These are read by any thread. */
    private volatile boolean takesWrites;
    private volatile long logFailures;
    private volatile long appliedIndex = -1;
    private volatile int sessionCount;

    LoggedShard(
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
        this.onRole = onRole;
        this.table = table;
        onReadBack = durability.onReadBack();
        onRecovered = durability.onRecovered();
        log = durability.log();
        time = durability.time();
        this.clock = clock;
        this.executor = executor;
        leadership = new Leadership(durability.isReplicated());
        leases = new ShardLeases(durability.replication());
        sessions = new LoggedSessions(geometry, durability.isReplicated());
        proposals = new Proposals(
            log, durability.life(), clock, time, durability.defaultTtlMs(), durability.isDurable());
        release = new ShardRelease(leases, proposals);
        final LoggedEvictions evictions = new LoggedEvictions(table, proposals);
        room = new LoggedRoom(table, durability.memoryShare(), durability.indexBytes(), evictions);
        final LongSupplier nanoClock = () -> TimeUnit.MILLISECONDS.toNanos(clock.getAsLong());
        pulls = new LoggedPulls(
            table, executor, proposals, room, answer, this::open, new MemoryWait(nanoClock));
        applier = new EntryApplier(
            executor, sessions, time, pulls, room, evictions, keyHash, answer, new MemoryWait(nanoClock));
        load = durability.newest() == null ? null :
            new SnapshotLoad(durability.newest(), table, keyHash, sessions, time, System::nanoTime);
        store = durability.snapshots();
        snapshots = new ShardSnapshots(
            number, shards, store, log, new SnapshotPace(durability.snapshotLog(), durability.snapshotEntries()),
            table, sessions, time, pulls, applier);
    }

    /** Whether other members have the same log. */
    boolean isReplicated()
    {
        return sessions.isReplicated();
    }

    /** Leases, and whether this member answers at all. */
    ShardLeases leases()
    {
        return leases;
    }

    /** Ends this member's reign in order, see {@link ShardRelease}. */
    void release(final CompletableFuture<Boolean> end)
    {
        release.begin(end);
    }

    /** Whether the last entry of this reign is proposed, so that writes go to the next leader. */
    boolean isReleasing()
    {
        return release.isProposed();
    }

    /** Term in which this member leads, or in which it has heard of the leader. */
    long term()
    {
        return leadership.term();
    }

    /** Number of the member that leads, 0 if it is not known. */
    long leader()
    {
        return leadership.leader();
    }

    /** Whether the log is open: then what is on its way comes. */
    boolean isOpen()
    {
        return proposals.isOpen();
    }

    /** Whether writes are taken. Other members of a log may have snapshots, and take the lead. */
    boolean takesWrites()
    {
        return proposals.isOpen() && (isReplicated() || !snapshots.isOverdue());
    }

    /** Whether entries can be had that prove that this member leads. */
    boolean takesProofs()
    {
        return proposals.isOpen() || log.takesProofs();
    }

    /** Tells whether a request may be proposed now: OK, STORAGE_FAILED, or as {@link LoggedRoom#check}. */
    Status check(final ShardSession session, final Request request)
    {
        // What comes behind the end of its session could not be applied.
        final boolean isTaken = takesWrites() && !(session.isEnded() && isReplicated());
        return !isTaken ? Status.STORAGE_FAILED : proposals.isFull() ? Status.BUSY :
            room.check(session.id(), request);
    }

    /** Proposes a write, whose message is copied. */
    void propose(final ShardSession session, final Request request)
    {
        open(session);
        room.propose(session.id(), request);
        proposals.addWrite(session.id(), request.message());
    }

    /** A value that is to be pulled has its place in the heap. */
    void onReserved(final ShardSession session, final Request request)
    {
        room.onReserved(session.id(), request);
        open(session);
    }

    /** Proposes that a session may write, unless that was done, or has to wait until it writes. */
    void open(final ShardSession session)
    {
        if (proposals.isOpen() && !proposals.isFull() && session.generation() != proposals.generation())
        {
            session.generation(proposals.generation());
            if (sessions.get(session.id()) == null)
            {
                // No more sessions than there may be, at any place of the log.
                proposeEnds();
                sessions.onProposed(session);
                proposals.add(ItemKind.OPEN_SESSION, session.id());
            }
        }
    }

    /** A session has ended. */
    void end(final long session)
    {
        // The leader of a log with several members knows which sessions go on.
        if (!leadership.isFollowing() && sessions.onEnding(session))
        {
            ended.addLong(session);
        }
    }

    private void proposeEnds()
    {
        for (int i = ended.size() - 1; proposals.isOpen() && !proposals.isFull() && i >= 0; i--)
        {
            final long session = ended.getLong(i);
            if (!pulls.concern(session))
            {
                ended.fastUnorderedRemove(i);
                proposals.add(ItemKind.END_SESSION, session);
            }
        }
    }

    LoggedPulls pulls()
    {
        return pulls;
    }

    /** Why a request has got no room that has waited for it. */
    Status refusal(final Request request)
    {
        // What is BUSY waits for the log only.
        final boolean isLate = proposals.isFull() || !takesWrites();
        final Status status = isLate ? Status.BUSY : room.refusal(request);
        return status == Status.BUSY ? Status.STORAGE_FAILED : status == Status.OK ? table.roomlessStatus() : status;
    }

    /** Whether the last {@link #check} was BUSY for want of a slot in the index, and not of room in the heap. */
    boolean waitsForSlot()
    {
        return !proposals.isFull() && room.waitsForSlot();
    }

    /** Bytes that a request which waits for room needs. */
    long needed(final Request request)
    {
        return room.needed(request);
    }

    /** All sessions that the log knows. */
    List<ShardSession> sessions()
    {
        return sessions.toList();
    }

    /**
     * Applies what is committed, a bounded number of entries.
     *
     * @return how much was done.
     */
    int poll()
    {
        room.nextRound();
        if (leases.tryServe())
        {
            onRole.accept(new ShardRole(leadership.term(), 0, true, sessions.resumable()));
        }
        if (load != null)
        {
            return load();
        }
        int count = 0;
        if (isUnfinished)
        {
            int made = makeRoom();
            if (made > 0)
            {
                applier.onProgress();
            }
            finish();
            if (isUnfinished && !isReplayed)
            {
                applier.awaitRoom();
            }
            else if (isUnfinished && made == 0 && !applier.waitsForIndex() && pulls.giveWay())
            {
                made = 1;
            }
            count += made;
        }
        while (!isUnfinished && count < MAX_ENTRIES && snapshots.mayApply() && log.poll(this, 1) > 0)
        {
            count++;
        }
        count += pulls.step();
        count += isReplayed ? snapshots.step(count > 0) : 0;
        takesWrites = takesWrites();
        return count;
    }

    /** Whether a snapshot that is being written can take what changes. */
    boolean mayChangeTable()
    {
        return snapshots.mayApply();
    }

    private int load()
    {
        final long before = load.position();
        final int done = load.step();
        onReadBack.accept(load.position() - before);
        if (load.isLoaded())
        {
            applier.startBehind(load.header().index(), load.header().term());
            appliedIndex = applier.index();
            load = null;
            // The log has woken the shard already.
            return 1;
        }
        return done;
    }

    private int makeRoom()
    {
        snapshots.giveRoom();
        // Room in the heap is of no use to what waits for the index: that may get memory from the heap's end.
        final long needed = applier.waitsForIndex() ? 0 : room.neededNow(applier.waiting());
        return table.makeRoom(needed, ROOM_BUDGET) > 0 ? 1 : 0;
    }

    /** Whether room in the heap is made for a committed request: what is gathered is for that. */
    boolean isMakingRoom()
    {
        return isUnfinished && !applier.waitsForIndex();
    }

    /**
     * Proposes what the round has collected. Also lets the table's time go on if a key is to expire, although nothing
     * is written.
     *
     * @return how many entries were proposed.
     */
    int flush()
    {
        final boolean isTime = takesWrites() && proposals.isIdle() && expiresInMs() <= 0;
        if (isTime)
        {
            proposals.tick();
        }
        if (leases.needsProof())
        {
            proposals.want();
        }
        proposeEnds();
        release.step();
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
            leases.refuseAll();
            return 0;
        }
        return leases.sparseProofNs() == 0 && proposals.tryProve() ? 1 : 0;
    }

    /** Milliseconds until the next look at a key that may expire; {@link Long#MAX_VALUE} for never. */
    private long expiresInMs()
    {
        final long restMs = table.expiryRestMs();
        return restMs == Long.MAX_VALUE ? restMs : time.getAsLong() + restMs - clock.getAsLong();
    }

    /** How long the agent may sleep, in nanoseconds, unless the log or a request wakes it. */
    long sleepNs()
    {
        if (isUnfinished || load != null || proposals.isHeldUp() || snapshots.isUnderWay() ||
            room.awaitsVictims() || release.isUnderWay())
        {
            return RETRY_NS;
        }
        final long restMs = takesWrites() && proposals.isIdle() ? expiresInMs() : Long.MAX_VALUE;
        final long proofNs = proposals.isOpen() ? Long.MAX_VALUE : Math.max(RETRY_NS, leases.sparseProofNs());
        return Math.min(Math.min(Math.min(leases.restNs(), proofNs), snapshots.restNs()),
            restMs == Long.MAX_VALUE ? restMs : TimeUnit.MILLISECONDS.toNanos(Math.max(0, restMs)));
    }

    @Override
    public void onEntry(final long index, final long term, final DirectBuffer entry, final int offset, final int length)
    {
        if (index <= applier.index())
        {
            // A log that was opened anew may begin with what it has handed over before.
            return;
        }
        snapshots.onEntry(length);
        applier.begin(index, term, entry, offset, length, proposals.life());
        proposals.onCommitted(index, applier.isOwn());
        if (!isReplayed)
        {
            onReadBack.accept(length);
        }
        if (!isReplayed || leadership.isFollowing())
        {
            // The time is that of the entry now.
            catchUp();
        }
        isUnfinished = true;
        finish();
    }

    private void finish()
    {
        if (applier.advance())
        {
            isUnfinished = false;
            appliedIndex = applier.index();
            sessionCount = sessions.size();
            if (!isReplayed || leadership.isFollowing())
            {
                catchUp();
            }
            if (applier.isOwn())
            {
                leases.onApplied(applier.term());
                if (applier.isRelease() && release.isUnderWay())
                {
                    onReleased();
                }
            }
        }
    }

    /** The next leader may serve at once, so this one does not any more. */
    private void onReleased()
    {
        leases.onReleased();
        onRole.accept(new ShardRole(leadership.term(), 0, false, List.of()));
        release.onApplied();
    }

    /**
     * Splits all buckets for which it is time, and removes all keys whose time is over. What is read back, or comes
     * from a leader, comes faster than rounds, and chains must not get longer, nor the heap fuller, than they were when
     * the entries were proposed.
     */
    private void catchUp()
    {
        while (table.grow(MAX_SPLITS) > 0 || table.expiryRestMs() == 0)
        {
            table.expire(MAX_EXPIRED);
        }
    }

    @Override
    public void onLeading(final long term, final long index)
    {
        leadership.onLeading(term);
        leases.onLeading(term, applier.isRelease() && applier.index() == index - 1);
    }

    @Override
    public void onFollowing(final long term, final long leader)
    {
        final boolean hasLed = !leadership.isFollowing();
        leadership.onFollowing(term, leader);
        leases.onFollowing();
        release.cancel();
        onRole.accept(new ShardRole(term, leader, false, List.of()));
        if (hasLed)
        {
            proposals.stop();
            takesWrites = false;
            ended.clear();
            sessions.onDeposed();
            // Their queue pairs end, so none is left that READs a lent value.
            sessions.forEach(executor::releaseAll);
            sessions.connected().forEach((session) -> session.listener().onLogFailed());
        }
        if (!isReplayed)
        {
            // What is in the log is applied when the leader says how far it is committed: nobody waits for that.
            isReplayed = true;
            onRecovered.run();
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
        final boolean hasFollowed = leadership.isFollowing();
        leadership.onReady();
        leases.onReady();
        room.clear();
        proposals.begin();
        final List<ShardSession> lost = sessions.onLost();
        if (hasFollowed)
        {
            pulls.onDeposed();
            sessions.onLeading();
        }
        // Of some, the end was proposed and lost.
        ended.clear();
        sessions.forEach((session) ->
        {
            if (session.isEnded())
            {
                ended.addLong(session.id());
            }
        });
        // From here on, requests that waited are proposed.
        pulls.onLost();
        lost.forEach((session) -> session.listener().onLogLost());
        takesWrites = takesWrites();
        if (!isReplayed)
        {
            isReplayed = true;
            sessions.forEach((session) -> session.window().recovered());
            onRecovered.run();
        }
    }

    @Override
    public void onFailed(final String reason)
    {
        proposals.stop();
        release.cancel();
        // What is on its way out may stay, and lookups go on: it can be lent again.
        room.clear();
        takesWrites = false;
        logFailures++;
        sessions.connected().forEach((session) -> session.listener().onLogFailed());
    }

    /** The shard stops: values in a log that has failed are given up. */
    void stop()
    {
        if (!proposals.isOpen())
        {
            pulls.onLost();
        }
    }

    /** Asks for a snapshot as soon as possible. */
    void requestSnapshot()
    {
        snapshots.request();
    }

    /** Takes part in a backup. */
    void backUp(final TableBackup backup)
    {
        snapshots.request(backup);
    }

    /** How the table stands on disk. Safe to ask from any thread. */
    DurabilityMetrics metrics()
    {
        return new DurabilityMetrics(
            appliedIndex, takesWrites, logFailures, log.diskBytes(), store.newestIndex(), store.newestBytes(),
            store.newestIndex() < 0 ? -1 : Math.max(0, System.currentTimeMillis() - store.newestCreatedMs()),
            snapshots.progress(), snapshots.failures(), sessionCount);
    }

    @Override
    public void close()
    {
        if (load != null)
        {
            load.close();
        }
        snapshots.close();
        applier.close();
    }
}
