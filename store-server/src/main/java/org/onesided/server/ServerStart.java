package org.onesided.server;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.accept.Acceptor;
import org.onesided.server.backup.BackupService;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.operating.OperatingDesk;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.session.Credentials;
import org.onesided.server.session.RecoveredSessions;
import org.onesided.server.session.ServedDevice;
import org.onesided.server.session.ServedTable;
import org.onesided.server.session.SessionLimits;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.TableTime;
import org.onesided.verbs.Devices;
import org.onesided.verbs.OpenDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the parts of a server, each behind those that it needs. Belongs to the thread that starts the server, and is
 * for one start.
 */
final class ServerStart
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerStart.class);

    private final ServerOptions options;
    private final long backupClientNs;
    private final ServerResources resources;
    private final ServerFailure failure;
    /** Filled while parts that were made before have it, and read by their threads. */
    private final List<Shard> shards = new CopyOnWriteArrayList<>();
    private final GrowthEvents growthEvents;
    private GrowthPlan plan;
    /** Null if the table is in memory only. */
    private Durability durability;
    private ServerMemory memory;
    private OfferedDevices devices;
    private SessionGeometry geometry;
    private List<ServedDevice> offer;
    private Superblock superblock;

    /**
     * @param options        of the server.
     * @param backupClientNs time after which a client is left that takes nothing of its backup, in nanoseconds.
     * @param resources      that the parts are added to; whoever has them closes the parts.
     * @param failure        of the server.
     */
    ServerStart(
        final ServerOptions options,
        final long backupClientNs,
        final ServerResources resources,
        final ServerFailure failure)
    {
        this.options = options;
        this.backupClientNs = backupClientNs;
        this.resources = resources;
        this.failure = failure;
        growthEvents = new GrowthEvents(shards, failure);
    }

    /**
     * Starts all parts. When it returns, clients can connect.
     *
     * @throws RuntimeException as {@link StoreServer#start}; some parts are among the resources then.
     */
    ServerParts run()
    {
        final InetSocketAddress listenAddress = ServerAddress.resolve(options);
        final Exposure exposure = new Exposure(options);
        exposure.check(listenAddress);
        final Credentials credentials = ServerCredentials.read(options);
        ServerMemory.check(options.memory());
        openTable(listenAddress.getAddress().isLoopbackAddress());

        final int maxSessions =
            Math.min(options.maxSessions(), offer.stream().mapToInt(ServedDevice::maxSessions).sum());
        final long region = new SecureRandom().nextLong();
        final ShardEvents shardEvents = new ShardEvents(devices, failure);
        final ServedTable served = serve(region, shardEvents);
        final Acceptor acceptor =
            listen(listenAddress, served, credentials, SessionSizes.limits(options, maxSessions, geometry));
        shardEvents.tell(acceptor);
        final MemoryUse use = new MemoryUse(memory, shards, options.evict() != Eviction.NONE);
        growthEvents.watch(use);
        final List<String> descriptions = startThreads();
        growthEvents.accept(acceptor);
        resources.run(acceptor, NoOpIdleStrategy.INSTANCE, () -> acceptor.stop(failure.stopReason()));
        // Logged last, so that a server that cannot start logs only the reason.
        for (int i = 0; i < descriptions.size(); i++)
        {
            LOGGER.info("device opened: device={} why={}", descriptions.get(i), devices.all().get(i).why());
        }
        exposure.warn(acceptor.address(), devices.all());
        return new ServerParts(devices, memory, use, List.copyOf(shards), durability, acceptor, maxSessions);
    }

    /** The directory, if there is one, the devices, and the table's memory. */
    private void openTable(final boolean isLocal)
    {
        Durability.chooseShards(options);
        plan = ServerMemory.plan(options);
        durability = options.data().isStored() ?
            resources.add(Durability.open(options, plan.shards().size(), new MemberEnd(failure))) : null;
        memory = resources.add(ServerMemory.open(options, plan, isLocal, growthEvents));
        devices = new OfferedDevices(memory.devices(), shards, failure);
        geometry = SessionSizes.geometry(options, memory.devices());
        offer = offer();
        superblock = durability == null ? draw(plan) : durability.superblock(plan);
        superblock.write(memory.table().range().address());
    }

    private static Superblock draw(final GrowthPlan plan)
    {
        final SecureRandom random = new SecureRandom();
        return plan.superblock(random.nextLong(), random.nextLong() | 1, random.nextLong(), random.nextLong());
    }

    private List<ServedDevice> offer()
    {
        final List<ServedDevice> all = new ArrayList<>();
        for (int i = 0; i < memory.devices().size(); i++)
        {
            final OpenDevice device = memory.devices().get(i);
            all.add(new ServedDevice(
                i, device, memory.domain(i), memory.table().firstSegment(i), memory.table().directory(i),
                memory.table().keys(i), SessionSizes.maxSessions(options, device, geometry)));
        }
        return List.copyOf(all);
    }

    /** Makes the shards, with their logs, and what else clients are connected to. */
    private ServedTable serve(final long region, final ShardEvents shardEvents)
    {
        if (durability != null)
        {
            durability.openLogs(region);
        }
        // Closed after the shards, which give up what is being made.
        final BackupService backups = durability == null ? null :
            resources.add(durability.backups(shards, backupClientNs));
        final OperatingDesk operating = durability == null || durability.cluster() == null ? null : resources.add(
            new OperatingDesk(durability.operations(shards), options.peers().zone(),
                (error) -> failure.agentEnded("store-operating", error)));
        final ShardMaker maker = new ShardMaker(
            options, resources, plan, memory, superblock, durability, offer, geometry, shardEvents);
        for (int i = 0; i < plan.shards().size(); i++)
        {
            final int number = i;
            shards.add(maker.make(number, () -> shards.get(number)));
        }
        return new ServedTable(
            offer, List.copyOf(shards), superblock.tableId(), superblock.serverLife(), memory.hugePages(),
            plan.memory(), options.evict(), TableTime.ttlMs(options.defaultTtlNs()),
            durability == null ? null : durability.secrets(),
            durability == null ? new RecoveredSessions() : durability.recovery().sessions(),
            backups, region, durability == null ? null : durability.cluster(), operating);
    }

    private Acceptor listen(
        final InetSocketAddress address,
        final ServedTable served,
        final Credentials credentials,
        final SessionLimits limits)
    {
        if (durability != null)
        {
            // The lock of the directory may end before all of the process that held it: nothing of it may be READ.
            Devices.retireLeftovers();
        }
        // The address of a given device does not follow from its name.
        return resources.add(ServerAddress.listen(
            address, served, credentials, limits, options.verbsDevice() == null ? memory.devices() : List.of()));
    }

    /** Starts all threads but the acceptor's, and waits for the table; descriptions of the devices. */
    private List<String> startThreads()
    {
        if (durability != null)
        {
            resources.add(durability.waking().begin((shard) -> shards.get(shard).wakeUp()));
        }
        for (final Shard shard : shards)
        {
            resources.run(shard, shard.idleStrategy(options.spinNs()), shard::stop);
        }
        final List<String> descriptions = memory.devices().stream().map(OpenDevice::describe).toList();
        devices.watch(resources);
        memory.growth().start();
        resources.add(memory.growth());
        if (durability != null)
        {
            durability.recovery().await(shards, durability.isAlone(), failure::cause);
            durability.started();
        }
        return descriptions;
    }
}
