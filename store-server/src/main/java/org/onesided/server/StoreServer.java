package org.onesided.server;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.jspecify.annotations.Nullable;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.accept.Acceptor;
import org.onesided.server.backup.BackupService;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.eviction.ShardEviction;
import org.onesided.server.expiry.ShardClock;
import org.onesided.server.memory.GrowthListener;
import org.onesided.server.memory.MemoryGrowth;
import org.onesided.server.memory.MemoryMetrics;
import org.onesided.server.memory.RetiredMemory;
import org.onesided.server.memory.TableMemory;
import org.onesided.server.memory.UsageMarks;
import org.onesided.server.operating.OperatingDesk;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.session.Credentials;
import org.onesided.server.session.RecoveredSessions;
import org.onesided.server.session.ServedDevice;
import org.onesided.server.session.ServedTable;
import org.onesided.server.session.SessionLimits;
import org.onesided.server.shard.CreditedQueuePair;
import org.onesided.server.shard.Shard;
import org.onesided.server.shard.ShardDevice;
import org.onesided.server.shard.ShardListener;
import org.onesided.server.shard.ShardRole;
import org.onesided.server.shard.SnapshotInstalledException;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardMemory;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.TableTime;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceNames;
import org.onesided.verbs.DeviceWatch;
import org.onesided.verbs.Devices;
import org.onesided.verbs.JvmFlags;
import org.onesided.verbs.OpenDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store server: one registered region, one writer per shard, one acceptor. It runs from {@link #start} until
 * {@link #close}. Thread-safe.
 */
public final class StoreServer implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StoreServer.class);
    /** Term in the versions of records; constant, because no table outlives its server. */
    private static final int SERVER_TERM = 1;

    private final ServerResources resources = new ServerResources(this::onAgentEnded);
    private final List<Shard> shards = new CopyOnWriteArrayList<>();
    private final ServerOptions options;
    private final long backupClientNs;
    private List<OpenDevice> devices = List.of();
    private boolean hugePages;
    private TableMemory memory;
    private MemoryGrowth growth;
    private UsageMarks marks;
    private List<ShardMemory> shardMemories = List.of();
    private Acceptor acceptor;
    /** Whether clients may come. */
    private volatile boolean isAccepting;
    private final Set<Integer> failedDevices = ConcurrentHashMap.newKeySet();
    private final ServerFailure failure;
    private Durability durability;
    private boolean isClosed;

    private StoreServer(final ServerOptions options, final long backupClientNs)
    {
        this.options = options;
        this.backupClientNs = backupClientNs;
        failure = new ServerFailure(() -> options.onFailure().run(), this::close);
    }

    /**
     * Starts a server. When this returns, clients can connect; when it throws, nothing stays open.
     *
     * @param options to start with.
     * @return the server, to be closed by the caller.
     * @throws UnsupportedOperationException          if the JVM lacks a flag that the server needs; the message names
     *                                                it.
     * @throws IllegalArgumentException               if an option is out of its range, a file for TLS holds what is no
     *                                                good, or other hosts could reach a server that asks for no
     *                                                credentials.
     * @throws ServerException                        if the server cannot listen, the machine is too small, or a file
     *                                                for TLS cannot be read.
     * @throws org.onesided.verbs.VerbsException if the device is not there, or has no room.
     */
    public static StoreServer start(final ServerOptions options)
    {
        return start(options, BackupService.CLIENT_NS);
    }

    /** As above, with the time in nanoseconds after which a client is left that takes nothing of its backup. */
    static StoreServer start(final ServerOptions options, final long backupClientNs)
    {
        JvmFlags.check();
        ServerOptionRules.check(options);
        StoreServer server = tryStart(options, backupClientNs);
        while (server == null)
        {
            server = tryStart(options, backupClientNs);
        }
        return server;
    }

    /** Null if a snapshot of a partition's leader has come meanwhile, and the start begins anew with it. */
    private static StoreServer tryStart(final ServerOptions options, final long backupClientNs)
    {
        final StoreServer server = new StoreServer(options, backupClientNs);
        try
        {
            synchronized (server)
            {
                server.open();
            }
            server.failure.started();
            return server;
        }
        catch (final RuntimeException | Error e)
        {
            server.abandon(e);
            if (server.beginsAnew())
            {
                return null;
            }
            throw e;
        }
    }

    /**
     * @return where it listens.
     */
    public InetSocketAddress address()
    {
        return acceptor.address();
    }

    /**
     * @return name of its device, the one that was chosen if that was left to the server, with the port where it
     *         listens by itself; of several, with commas between them.
     */
    public String device()
    {
        return DeviceNames.join(devices.stream().map(OpenDevice::name).toList());
    }

    /**
     * @return whether its table is in huge pages.
     */
    public boolean hugePages()
    {
        return hugePages;
    }

    /**
     * @return sessions there are, those that may still be resumed included.
     */
    public int sessionCount()
    {
        return acceptor.sessionCount();
    }

    /**
     * Reads all counters; no thread of the server waits or does anything for it.
     *
     * @return what the server has done, and how it stands.
     */
    public ServerMetrics metrics()
    {
        final Map<String, Map<String, Long>> faults = new TreeMap<>();
        devices.forEach((each) -> faults.put(each.kind(), each.context().queryFaults()));
        faults.values().removeIf(Map::isEmpty);
        return new ServerMetrics(
            acceptor.metrics(), shards.stream().map(Shard::metrics).toList(), memoryMetrics(), faults,
            eviction(), defaultTtlMs(), durability == null ? null : durability.stand());
    }

    private MemoryMetrics memoryMetrics()
    {
        return new MemoryMetrics(
            memory.segments(), memory.committed(), memory.limit(), memoryUsed(),
            shardMemories.stream().mapToLong((each) -> each.indexRetiredBytes() + each.heapRetiredBytes()).sum(),
            shardMemories.stream().mapToLong((each) -> each.indexReleasedBytes() + each.heapReleasedBytes()).sum(),
            marks.reached(), growth.refusals());
    }

    /** What is not free in heaps counts as used. */
    private long memoryUsed()
    {
        // Once a second, and so without an allocation.
        long used = memory.startLength();
        for (int i = 0; i < shards.size(); i++)
        {
            used += shardMemories.get(i).indexBytes() + shards.get(i).heapBytesUsed();
        }
        return used;
    }

    /**
     * @return whether it serves; false from the moment that it fails or begins to close.
     */
    public boolean isServing()
    {
        return failure.isServing();
    }

    /**
     * @return which records leave when the memory is full.
     */
    public Eviction eviction()
    {
        return options.evict();
    }

    /**
     * @return for how long a key stays whose put says nothing about it, in milliseconds; 0 for ever.
     */
    public long defaultTtlMs()
    {
        return TableTime.ttlMs(options.defaultTtlNs());
    }

    /**
     * @return how many shards the table has.
     */
    public int shardCount()
    {
        return shards.size();
    }

    /**
     * Why the server stopped by itself: a thread of it has ended, for instance because the Java heap is full; or its
     * only device, or the last of several, has failed, or one of its completion queues. Half a server would keep
     * clients waiting, so it closes as a whole then.
     *
     * @return what ended the thread or failed, or null if the server runs or was told to stop.
     */
    public @Nullable Throwable failure()
    {
        return failure.cause();
    }

    /**
     * Whether it stopped by itself only to be started again with the same options: a snapshot of a partition's leader
     * has come, as this member of a cluster was far behind.
     *
     * @return whether the caller is to close it and start another.
     */
    public boolean beginsAnew()
    {
        return failure.beginsAnew();
    }

    /**
     * Takes leave of all clients, stops all threads and gives everything back. A member of a cluster lets others lead
     * its partitions before, which takes up to 10 seconds. Has no effect the second time.
     */
    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            failure.stop();
            LOGGER.info("stopping: address={}", ServerAddress.text(address()));
            try
            {
                if (durability != null && failure.isInOrder())
                {
                    durability.handOver(shards);
                    durability.stopsCleanly();
                }
            }
            finally
            {
                resources.closeAll(null);
            }
        }
    }

    private synchronized void abandon(final Throwable cause)
    {
        isClosed = true;
        failure.stop();
        resources.closeAll(cause);
    }

    private void open()
    {
        final InetSocketAddress listenAddress = ServerAddress.resolve(options);
        final Exposure exposure = new Exposure(options);
        exposure.check(listenAddress);
        final Credentials credentials = ServerCredentials.read(options);
        ServerMemory.check(options.memory());
        Durability.chooseShards(options);
        final GrowthPlan plan = ServerMemory.plan(options);
        durability = options.data().isStored() ?
            resources.add(Durability.open(
                options, plan.shards().size(), new End())) : null;
        final ServerMemory serverMemory = resources.add(ServerMemory.open(
            options, plan, listenAddress.getAddress().isLoopbackAddress(), new Growth()));
        devices = serverMemory.devices();
        final SessionGeometry geometry = SessionSizes.geometry(options, devices);
        final List<ServedDevice> offer = offer(serverMemory, geometry);
        final int maxSessions =
            Math.min(options.maxSessions(), offer.stream().mapToInt(ServedDevice::maxSessions).sum());

        hugePages = serverMemory.hugePages();
        memory = serverMemory.table();
        marks = new UsageMarks(this::memoryUsed, memory.limit(), options.evict() != Eviction.NONE);
        growth = serverMemory.growth();
        shardMemories = serverMemory.shards();
        final long region = new SecureRandom().nextLong();
        final Superblock superblock = durability == null ? superblock(plan) : durability.superblock(plan);
        superblock.write(memory.range().address());

        if (durability != null)
        {
            durability.openLogs(region);
        }
        // Closed after the shards, which give up what is being made.
        final BackupService backups = durability == null ? null :
            resources.add(durability.backups(shards, backupClientNs));
        final OperatingDesk operating = durability == null || durability.cluster() == null ? null : resources.add(
            new OperatingDesk(durability.operations(shards), (error) -> onAgentEnded("store-operating", error)));
        final Listener listener = new Listener();
        final List<IdleStrategy> idleStrategies = new ArrayList<>();
        for (int i = 0; i < plan.shards().size(); i++)
        {
            final ShardClock clock = new ShardClock(System::nanoTime, System::currentTimeMillis);
            final ShardTable table = new ShardTable(
                memory.range(), superblock, i, SERVER_TERM, shardMemories.get(i),
                durability == null ? new TableTime(clock, defaultTtlMs()) :
                    durability.time(i).ofTable());
            final int number = i;
            final Shard shard = resources.add(new Shard(
                i, plan.shards().size(), table, ShardEviction.begin(options.evict(), table, i, durability != null),
                new KeyHash(superblock.hashSeed()), geometry,
                offer.stream().map((each) -> shardDevice(each, geometry)).toList(), listener,
                options.roomWaitNs(), clock, options.measuresTimes(),
                durability == null ? null : durability.shard(
                    i, shardMemories.get(i), plan.memoryShare(), () -> shards.get(number))));
            shards.add(shard);
            idleStrategies.add(shard.idleStrategy(options.spinNs()));
        }

        final ServedTable served = new ServedTable(
            List.copyOf(offer), List.copyOf(shards), superblock.tableId(), superblock.serverLife(), hugePages,
            plan.memory(), options.evict(), defaultTtlMs(), durability == null ? null : durability.secrets(),
            durability == null ? new RecoveredSessions() : durability.recovered(),
            backups, region, durability == null ? null : durability.cluster(), operating);
        if (durability != null)
        {
            // The lock of the directory may end before all of the process that held it: nothing of it may be READ.
            Devices.retireLeftovers();
        }
        // The address of a given device does not follow from its name.
        acceptor = resources.add(ServerAddress.listen(
            listenAddress, served, credentials, limits(maxSessions, geometry),
            options.verbsDevice() == null ? devices : List.of()));
        listener.acceptor = acceptor;
        if (durability != null)
        {
            resources.add(durability.waking((shard) -> shards.get(shard).wakeUp()));
        }
        for (int i = 0; i < shards.size(); i++)
        {
            final Shard shard = shards.get(i);
            resources.run(shard, idleStrategies.get(i), shard::stop);
        }
        final List<String> descriptions = devices.stream().map(OpenDevice::describe).toList();
        for (int i = 0; i < devices.size(); i++)
        {
            final int index = i;
            resources.add(DeviceWatch.start(
                devices.get(i), "store-device-events" + (i == 0 ? "" : "-" + i),
                new DeviceEvents(i, shards, (reason) -> onDeviceFailed(index, reason))));
        }
        growth.start();
        resources.add(growth);
        if (durability != null)
        {
            durability.awaitRecovery(shards, failure::cause);
            durability.started();
        }
        isAccepting = true;
        resources.run(acceptor, NoOpIdleStrategy.INSTANCE, () -> acceptor.stop(failure.stopReason()));
        // Logged last, so that a server that cannot start logs only the reason.
        for (int i = 0; i < devices.size(); i++)
        {
            LOGGER.info("device opened: device={} why={}", descriptions.get(i), devices.get(i).why());
        }
        exposure.warn(acceptor.address(), devices);
        LOGGER.info("listening: address={} device={} memory={}MiB huge-pages={} shards={} sessions={} tls={} " +
            "evict={} default-ttl={}",
            ServerAddress.text(acceptor.address()), device(), plan.memory() >> 20, hugePages ? "yes" : "no",
            shards.size(), maxSessions, options.tls() == null ? "no" : "yes", eviction().label(),
            defaultTtlMs() == 0 ? "never" : defaultTtlMs() + "ms");
    }

    private static Superblock superblock(final GrowthPlan plan)
    {
        final SecureRandom random = new SecureRandom();
        return plan.superblock(random.nextLong(), random.nextLong() | 1, random.nextLong(), random.nextLong());
    }

    private List<ServedDevice> offer(final ServerMemory memory, final SessionGeometry geometry)
    {
        final List<ServedDevice> offer = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++)
        {
            offer.add(new ServedDevice(
                i, devices.get(i), memory.domain(i), memory.table().firstSegment(i), memory.table().directory(i),
                memory.table().keys(i),
                SessionSizes.maxSessions(options, devices.get(i), geometry)));
        }
        return offer;
    }

    private SessionLimits limits(final int maxSessions, final SessionGeometry geometry)
    {
        return new SessionLimits(
            maxSessions,
            options.maxSessionsPerAddress(),
            options.maxSessionsPerIdentity(),
            options.maxHandshakes(),
            options.maxHandshakesPerAddress(),
            options.handshakeTimeoutNs(),
            TimeUnit.NANOSECONDS.toMillis(options.leaseNs()),
            geometry);
    }

    private ShardDevice shardDevice(final ServedDevice served, final SessionGeometry geometry)
    {
        final Context context = served.device().context();
        final CompletionChannel channel = resources.add(context.createCompletionChannel());
        final CompletionQueue queue = resources.add(
            context.createCompletionQueue(served.maxSessions() * geometry.completions(), channel, 0));
        return new ShardDevice(served.device().kind(), channel, queue, served.keys());
    }

    private void onAgentEnded(final String agent, final Throwable cause)
    {
        failure.fail(
            agent + " has ended", cause == null ? new IllegalStateException("thread was interrupted") : cause);
    }

    /** What the parts for a cluster end the server with. */
    private final class End implements ServerEnd
    {
        @Override
        public void fail(final Error cause)
        {
            failure.fail("changing members has failed", cause);
        }

        @Override
        public void beginAnew(final String reason)
        {
            failure.beginAnew(reason, new IllegalStateException(reason));
        }

        @Override
        public void beginAnewInOrder(final String reason)
        {
            failure.beginAnewInOrder(reason);
        }
    }

    /** Ends the device's sessions. Without another working device, the server fails. */
    private void onDeviceFailed(final int index, final String reason)
    {
        if (!failedDevices.add(index))
        {
            return;
        }
        final OpenDevice failed = devices.get(index);
        failed.fail(reason);
        shards.forEach((shard) -> shard.loseAll(index, reason));
        final List<String> working =
            devices.stream().filter((each) -> each.failure() == null).map(OpenDevice::name).toList();
        if (working.isEmpty())
        {
            failure.fail("the device cannot go on", new ServerException(reason));
        }
        else
        {
            LOGGER.error("device has failed, its sessions end, and the server continues with others: device={} " +
                "reason={} others={}", failed.name(), reason, DeviceNames.join(working));
        }
    }

    /** Called by the growth thread, which starts after the shards were made. */
    private final class Growth implements GrowthListener
    {
        @Override
        public void onGrown(final int shard)
        {
            shards.get(shard).wakeUp();
        }

        @Override
        public void retire(final RetiredMemory retired, final Runnable then)
        {
            if (isAccepting)
            {
                acceptor.retire(retired, then);
            }
            else
            {
                // Nobody READs yet, and the records that are being read back may need the memory.
                then.run();
            }
        }

        @Override
        public void onLook()
        {
            marks.check();
        }

        @Override
        public void onFailed(final Throwable cause)
        {
            onAgentEnded(MemoryGrowth.THREAD, cause);
        }
    }

    /** Tells the acceptor, which is made after the shards. */
    private final class Listener implements ShardListener
    {
        private volatile Acceptor acceptor;

        @Override
        public void onEnded(final CreditedQueuePair queuePair, final String reason)
        {
            acceptor.onEnded(queuePair, reason);
        }

        @Override
        public void onBroken(final int device, final String reason)
        {
            onDeviceFailed(device, reason);
        }

        @Override
        public void onRole(final int shard, final ShardRole role)
        {
            acceptor.onRole(shard, role);
        }

        @Override
        public void onFailed(final int shard, final RuntimeException cause)
        {
            if (cause instanceof SnapshotInstalledException)
            {
                failure.beginAnew("partition was far behind, and a snapshot of its leader has come: partition=" +
                    shard, cause);
                return;
            }
            failure.fail("shard cannot apply its log: shard=" + shard, cause);
        }
    }
}
