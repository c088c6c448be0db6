package org.onesided.server.shard.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.fuzz.Wire;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.cluster.LeaseTime;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.eviction.ShardEviction;
import org.onesided.server.expiry.ShardClock;
import org.onesided.server.log.ShardLog;
import org.onesided.server.memory.LocalKeys;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.logged.ShardDurability;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.shard.reign.Replication;
import org.onesided.server.shard.session.RequestWindow;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.server.shard.snapshot.AnswerPlaces;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.PartMemory;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.ShardMemory;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.ReceiveRequests;

/** A shard with a log, stepped by the test, and two sessions whose clients are the test. */
final class LoggedTable implements AutoCloseable
{
    static final int SESSIONS = 2;
    /** Short: a shard that has begun to lead answers nothing for a little longer. */
    static final long LEASE_NS = 50_000_000;
    private static final int PAGE = 4096;
    private static final int CREDITS = 8;
    private static final int TABLE_KEY = 3;
    private static final int BUFFERS_KEY = 4;
    /** Of the memory that clients lend. */
    private static final int CHANGING_LENGTH = 1 << 20;
    private static final int STEPS = 100_000;
    private static final int QUIET_STEPS = 20;
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SNAPSHOT_LOG = 4 << 20;
    static final SessionGeometry GEOMETRY =
        new SessionGeometry(CREDITS, RequestsTarget.MESSAGE_LENGTH, CREDITS, 4, 16 << 10, 1 << 20);

    /**
     * Where the table is.
     *
     * @param range      of the whole table; null for one of its own.
     * @param superblock of the whole table.
     * @param number     of the shard.
     * @param parts      of the shard.
     * @param share      bytes that the shard may use.
     * @param indexBytes of them that its index has.
     */
    record Place(
        MemoryRange range, Superblock superblock, int number, ShardMemory parts, long share, LongSupplier indexBytes)
    {
    }

    private final List<Long> allocations = new ArrayList<>();
    /** Null if the log commits by itself. */
    private final MemoryLog log;
    private final SnapshotStore store;
    private final LoggedTime time = new LoggedTime();
    private final MemoryRange lent = memory(10 << 20);
    private final MemoryRange scratch = memory(PAGE);
    private final MemoryRange[] buffers = new MemoryRange[SESSIONS];
    private final Wire[] wires = new Wire[SESSIONS];
    private final CreditedQueuePair[] connections = new CreditedQueuePair[SESSIONS];
    private final ReceiveRequests receives = new ReceiveRequests(1, 1);
    private final KeyHash keyHash;
    private final Place place;
    private final ShardTable table;
    private final Shard shard;
    private int ended;
    private long newest = SESSIONS;
    private boolean isRecovered;
    private long snapshotIndex = -1;

    /**
     * @param log    of the shard.
     * @param memory of the table in bytes.
     * @param life   of the shard.
     * @param clock  shared with the test: milliseconds.
     * @param store  of the shard's snapshots, whose newest is the beginning.
     */
    LoggedTable(
        final MemoryLog log, final long memory, final long life, final long[] clock, final SnapshotStore store)
    {
        this(log, memory, life, clock, store, Eviction.NONE, life, ShardMemory::whole);
    }

    /** As above, and records leave, by random numbers from a seed; the parts have the memory that a test says. */
    LoggedTable(
        final MemoryLog log,
        final long memory,
        final long life,
        final long[] clock,
        final SnapshotStore store,
        final Eviction eviction,
        final long seed,
        final Function<ShardLayout, ShardMemory> memoryOf)
    {
        this(log, log, null, whole(memory, eviction, memoryOf), life, clock, store, eviction, seed,
            LoggedTable::fail, eviction == Eviction.NONE ? 0 : SETTLE_NS, Long.MAX_VALUE);
    }

    /** As the first, and snapshots also come after a number of entries. */
    LoggedTable(
        final MemoryLog log, final long memory, final long[] clock, final SnapshotStore store, final long entries)
    {
        this(log, log, null, whole(memory, Eviction.NONE, ShardMemory::whole), 1, clock, store, Eviction.NONE, 1,
            LoggedTable::fail, 0, entries);
    }

    /** As above, in one of the parts of a table, whose owner frees it. Writes wait for room. */
    LoggedTable(
        final MemoryLog log,
        final Place place,
        final long life,
        final long[] clock,
        final SnapshotStore store,
        final Eviction eviction,
        final long seed)
    {
        this(log, log, null, place, life, clock, store, eviction, seed, LoggedTable::fail, SETTLE_NS,
            Long.MAX_VALUE);
    }

    /**
     * @param log    of the shard, one of several.
     * @param memory of the table in bytes.
     * @param life   of the shard.
     * @param clock  shared with the test: milliseconds.
     * @param store  of the shard's snapshots, whose newest is the beginning.
     * @param onLost hears of a session, from 0, whose queue pair the shard has ended, and why.
     * @param leaseClock of leases and waits, in nanoseconds.
     */
    LoggedTable(
        final ShardLog log,
        final long memory,
        final long life,
        final long[] clock,
        final SnapshotStore store,
        final BiConsumer<Integer, String> onLost,
        final LongSupplier leaseClock)
    {
        this(null, log, leaseClock, whole(memory, Eviction.NONE, ShardMemory::whole), life, clock, store, Eviction.NONE,
            life, onLost, 0, Long.MAX_VALUE);
    }

    private LoggedTable(
        final MemoryLog memoryLog,
        final ShardLog shardLog,
        final LongSupplier leaseClock,
        final Place place,
        final long life,
        final long[] clock,
        final SnapshotStore store,
        final Eviction eviction,
        final long seed,
        final BiConsumer<Integer, String> onLost,
        final long roomWaitNs,
        final long snapshotEntries)
    {
        log = memoryLog;
        this.store = store;
        this.place = place;
        final Superblock superblock = place.superblock();
        final MemoryRange tableMemory = place.range() == null ? memory(superblock.regionLength()) : place.range();
        keyHash = new KeyHash(superblock.hashSeed());
        table = new ShardTable(tableMemory, superblock, place.number(), 1, place.parts(), time.ofTable());
        final List<ShardDevice> devices = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++)
        {
            buffers[i] = memory(GEOMETRY.bufferLength());
            wires[i] = new Wire(tableMemory, buffers[i], lent, RequestsTarget.OWN_KEY);
            devices.add(new ShardDevice("wire-" + i, wires[i], wires[i], LocalKeys.of(TABLE_KEY)));
        }
        shard = new Shard(0, 1, table, ShardEviction.begin(eviction, table, seed, true), keyHash, GEOMETRY, devices,
            new ShardListener()
            {
                @Override
                public void onEnded(final CreditedQueuePair connection, final String why)
                {
                    ended++;
                    if (why != null)
                    {
                        onLost.accept((int)connection.session().id() - 1, why);
                    }
                }

                @Override
                public void onBroken(final int device, final String why)
                {
                    throw new AssertionError(why);
                }

                @Override
                public void onFailed(final int failed, final RuntimeException cause)
                {
                    throw cause;
                }
            }, roomWaitNs,
            new ShardClock(() -> clock[0] * 1_000_000, () -> clock[0]), false,
            new ShardDurability(
                shardLog, time, life, leaseClock == null,
                leaseClock == null ? null : new Replication(LeaseTime.of(LEASE_NS), 1, leaseClock), 0,
                place.share(), place.indexBytes(), store,
                store.openNewest((bytes) -> {}, (index) -> false), SNAPSHOT_LOG, snapshotEntries,
                (bytes) -> {}, () -> isRecovered = true));
    }

    /** A table of its own, of whose heap its shard may use all. */
    static Place ofHeap(final long memory)
    {
        final Superblock superblock = GrowthPlan.of(memory, 1, 1, PAGE).superblock(1, 2, 3, 4);
        final ShardLayout layout = superblock.shards().get(0);
        return new Place(null, superblock, 0, ShardMemory.whole(layout), layout.heapLength(), () -> 0);
    }

    private static Place whole(
        final long memory, final Eviction eviction, final Function<ShardLayout, ShardMemory> memoryOf)
    {
        final Superblock superblock = GrowthPlan.of(memory, 1, 1, PAGE).superblock(1, 2, 3, 4);
        final ShardLayout layout = superblock.shards().get(0);
        return new Place(null, superblock, 0, memoryOf.apply(layout),
            eviction == Eviction.NONE ? memory : layout.heapLength(), () -> 0);
    }

    private static void fail(final int session, final String why)
    {
        throw new AssertionError(why);
    }

    /** Whether all of the log was read back. */
    boolean isRecovered()
    {
        return isRecovered;
    }

    /** Steps the shard until all of its log was read back. It gives up before the test does. */
    void recover()
    {
        final long endNs = System.nanoTime() + 2 * SETTLE_NS;
        while (!isRecovered)
        {
            require(System.nanoTime() - endNs < 0, "the log is not read back", this);
            shard.doWork();
        }
    }

    /** Connects a session, over a queue pair instead of its former one. */
    void connect(final int number)
    {
        ShardSession session = null;
        for (final ShardSession known : shard.loggedSessions())
        {
            session = known.id() == number + 1 ? known : session;
        }
        if (connections[number] != null)
        {
            session = connections[number].session();
            endQueuePair(number);
        }
        attach(number, session == null ? new ShardSession(number + 1, GEOMETRY) : session);
    }

    /** A session's queue pair was ended by the shard. */
    void forgetConnection(final int number)
    {
        connections[number] = null;
    }

    boolean isConnected(final int number)
    {
        return connections[number] != null;
    }

    /** Connects a session that was never there before. */
    void connectAnew(final int number)
    {
        attach(number, new ShardSession(++newest, GEOMETRY));
    }

    /** Connects a session that was never there before, and was let in by the role that the shard had in a term. */
    void connectIn(final int number, final long term)
    {
        prepare(number, new ShardSession(++newest, GEOMETRY));
        shard.queuePairs().attach(connections[number], term);
        shard.doWork();
    }

    private void attach(final int number, final ShardSession session)
    {
        prepare(number, session);
        shard.queuePairs().attach(connections[number]);
        shard.doWork();
    }

    private void prepare(final int number, final ShardSession session)
    {
        wires[number].renew();
        connections[number] = new CreditedQueuePair(
            session, false, wires[number], GEOMETRY,
            buffers[number], BUFFERS_KEY, 1, number, 1, shard.queuePairs().nextTag());
        connections[number].postReceives(receives);
    }

    private void endQueuePair(final int number)
    {
        final int before = ended;
        shard.queuePairs().end(connections[number]);
        for (int i = 0; ended == before; i++)
        {
            require(i < STEPS, "the queue pair does not end");
            shard.doWork();
        }
    }

    /** A session loses its queue pair. */
    void disconnect(final int number)
    {
        endQueuePair(number);
        connections[number] = null;
    }

    /** A session ends for good, as when its client says goodbye. */
    void leave(final int number)
    {
        endQueuePair(number);
        shard.forget(connections[number].session());
        connections[number] = null;
        shard.doWork();
    }

    boolean send(final int number, final byte[] message)
    {
        final byte[] patched = message.clone();
        final UnsafeBuffer buffer = new UnsafeBuffer(patched);
        if (buffer.getShort(2) == PutLargeRequestEncoder.TEMPLATE_ID ||
            buffer.getShort(2) == QualifiedPutLargeRequestEncoder.TEMPLATE_ID)
        {
            buffer.putLong(16, lent.address() + buffer.getLong(16));
        }
        return wires[number].send(patched);
    }

    byte[] answer(final int number)
    {
        return wires[number].sent();
    }

    void step()
    {
        shard.doWork();
    }

    /** Steps the shard so often that all happens which needs no commit. */
    void stepOn()
    {
        for (int i = 0; i < 1000; i++)
        {
            step();
        }
    }

    /** Commits everything and steps the shard until nothing moves any more. */
    void settle()
    {
        int quiet = 0;
        final long endNs = System.nanoTime() + SETTLE_NS;
        while (quiet < QUIET_STEPS)
        {
            require(System.nanoTime() - endNs < 0, "the shard does not come to rest");
            log.commit(Integer.MAX_VALUE);
            // A snapshot that the disk is slow to take holds entries up.
            quiet = shard.doWork() > 0 || !log.isDrained() ? 0 : quiet + 1;
        }
    }

    /** Entry of the log that the newest snapshot is behind, 0 or less if there is none. */
    long newestSnapshot()
    {
        return store.newestIndex();
    }

    /** Settles until a snapshot is written that is newer than the last time, and the shard knows of it. */
    void awaitSnapshot()
    {
        final long before = snapshotIndex;
        final long endNs = System.nanoTime() + SETTLE_NS;
        // The file is there a moment before the thread that writes it has ended, and the shard looks for that.
        while (store.newestIndex() <= before || shard.metrics().durability().snapshotProgress() >= 0)
        {
            require(System.nanoTime() - endNs < 0, "no snapshot is written");
            settle();
        }
        snapshotIndex = store.newestIndex();
        settle();
    }

    Shard shard()
    {
        return shard;
    }

    ShardTable table()
    {
        return table;
    }

    void fillLent(final int seed)
    {
        UnsafeApi.setMemory(null, lent.address(), CHANGING_LENGTH, (byte)seed);
        UnsafeApi.putInt(lent.address(), seed);
    }

    /** What a log has to give again: records with their versions and times, and the answers of sessions. */
    List<String> digest(final List<String> keys)
    {
        final List<String> digest = new ArrayList<>();
        for (final String key : keys)
        {
            digest.add(key + " " + describe(key));
        }
        digest.add("records " + table.statistics().records());
        final TreeMap<Long, ShardSession> sessions = new TreeMap<>();
        shard.loggedSessions().forEach((session) -> sessions.put(session.id(), session));
        sessions.values().forEach((session) -> digest.addAll(describe(session)));
        return digest;
    }

    /** Whether a key belongs to the first bucket of an index that is not longer than 8192 buckets. */
    boolean isInFirstBucket(final String key)
    {
        return KeyHash.bucket(hash(key), 8192) == 0;
    }

    /** Whether the removal of a key's record is on its way. */
    boolean isLeaving(final String key)
    {
        return table.evictions().isLeaving(hash(key));
    }

    private long hash(final String key)
    {
        final byte[] bytes = key.getBytes(US_ASCII);
        new UnsafeBuffer(scratch.address(), PAGE).putBytes(0, bytes);
        return keyHash.hash(scratch.address(), bytes.length);
    }

    String describe(final String key)
    {
        final byte[] bytes = key.getBytes(US_ASCII);
        new UnsafeBuffer(scratch.address(), PAGE).putBytes(0, bytes);
        final FoundRecord found = new FoundRecord();
        final long hash = keyHash.hash(scratch.address(), bytes.length);
        if (!table.lookups().find(hash, scratch.address(), bytes.length, found))
        {
            return "absent";
        }
        final byte[] value = new byte[found.valueLength()];
        new UnsafeBuffer(found.valueAddress(), value.length).getBytes(0, value);
        return "length=" + value.length + " hash=" + Arrays.hashCode(value) + " version=" + found.version() +
            " expiry=" + found.expiry();
    }

    /** Without refusals, which are remembered but not all logged. */
    private static List<String> describe(final ShardSession session)
    {
        final TreeMap<Long, String> answers = new TreeMap<>();
        final RequestWindow window = session.window();
        for (int place = 0; place < window.capacity(); place++)
        {
            if (window.hasAnswer(place))
            {
                final byte[] answer = new byte[SessionGeometry.MAX_INLINE];
                final int length = window.answer(window.idAt(place), new UnsafeBuffer(answer));
                AnswerPlaces.forget(new UnsafeBuffer(answer), length);
                final byte status =
                    answer[MessageHeaderDecoder.ENCODED_LENGTH + WriteAnswerDecoder.statusEncodingOffset()];
                if (status > Status.NOT_FOUND.value())
                {
                    continue;
                }
                answers.put(window.idAt(place), "session " + session.id() + " request " + window.idAt(place) + " " +
                    Arrays.toString(Arrays.copyOf(answer, length)));
            }
        }
        return new ArrayList<>(answers.values());
    }

    private MemoryRange memory(final long length)
    {
        final long address = UnsafeApi.allocateMemory(length + PAGE);
        allocations.add(address);
        UnsafeApi.setMemory(null, address, length + PAGE, (byte)0);
        return new MemoryRange((address + PAGE - 1) & -PAGE, length);
    }

    private static void require(final boolean condition, final String what)
    {
        require(condition, what, null);
    }

    /** The message ends with what there is to see of a table, if it is given. */
    private static void require(final boolean condition, final String what, final LoggedTable of)
    {
        if (!condition)
        {
            throw new AssertionError(of == null ? what : what + ": " + of);
        }
    }

    @Override
    public String toString()
    {
        final ShardMemory parts = place.parts();
        return (log == null ? "" : log.left() + " entries left, ") + "share=" + place.share() + " indexBytes=" +
            place.indexBytes().getAsLong() + " " + table.statistics() +
            " buckets: " + describe(parts.buckets()) + " overflow: " + describe(parts.overflow()) +
            " reserve: " + describe(parts.reserve()) + " records: " + describe(parts.records());
    }

    private static String describe(final PartMemory part)
    {
        return "usable=" + part.usable() + " growable=" + part.growable() + " ahead=" + part.ahead() + " surplus=" +
            part.surplus() + " isSurplusUrgent=" + part.isSurplusUrgent() + " givenUp=" + part.givenUp() +
            " givenBack=" + part.givenBack() + " isRefused=" + part.isRefused();
    }

    @Override
    public void close()
    {
        shard.close();
        receives.close();
        allocations.forEach(UnsafeApi::freeMemory);
        allocations.clear();
    }
}
