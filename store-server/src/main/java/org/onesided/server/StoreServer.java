package org.onesided.server;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.SystemUtil;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.session.Acceptor;
import org.onesided.server.session.Credentials;
import org.onesided.server.session.ServedDevice;
import org.onesided.server.session.ServedTable;
import org.onesided.server.session.SessionLimits;
import org.onesided.server.shard.SessionGeometry;
import org.onesided.server.shard.Shard;
import org.onesided.server.shard.CreditedQueuePair;
import org.onesided.server.shard.ShardDevice;
import org.onesided.server.shard.ShardListener;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.TablePlan;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.DeviceNames;
import org.onesided.verbs.DeviceWatch;
import org.onesided.verbs.Devices;
import org.onesided.verbs.JvmFlags;
import org.onesided.verbs.OpenDevice;
import org.onesided.verbs.StillRunningException;
import org.onesided.verbs.ThreadEnd;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store server: one registered region, one writer per shard, one acceptor. It runs from {@link #start} until
 * {@link #close}. Thread-safe.
 */
public final class StoreServer implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StoreServer.class);
    private static final int READS = 4;
    private static final int MAX_PIECE_LENGTH = 1 << 20;
    private static final int CREDITS_PER_ANSWER_BUFFER = 4;
    /** The only one, as long as no table outlives its server. */
    private static final int SERVER_TERM = 1;
    /** Threads stop within moments, but workers of the acceptor are waited for. */
    private static final long LONGEST_STOP_NS = 3 * ThreadEnd.PATIENCE_NS;

    /** What was opened, to be closed from the last to the first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<Shard> shards = new ArrayList<>();
    private final ServerOptions options;
    private List<OpenDevice> devices = List.of();
    private boolean hugePages;
    private Acceptor acceptor;
    private final Set<Integer> failedDevices = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean isStopping;
    /** A thread that an agent left behind, or null. */
    private volatile String stillRunning;
    private boolean isClosed;

    private StoreServer(final ServerOptions options)
    {
        this.options = options;
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
        JvmFlags.check();
        options.check();
        final StoreServer server = new StoreServer(options);
        try
        {
            synchronized (server)
            {
                server.open();
            }
        }
        catch (final RuntimeException | Error e)
        {
            server.abandon(e);
            throw e;
        }
        return server;
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
        return new ServerMetrics(acceptor.metrics(), shards.stream().map(Shard::metrics).toList(), faults);
    }

    /**
     * @return whether it serves: not any more as soon as it has failed, or began to close.
     */
    public boolean isServing()
    {
        return !isStopping && failure.get() == null;
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
    public Throwable failure()
    {
        return failure.get();
    }

    /**
     * Takes leave of all clients, stops all threads and gives everything back. Has no effect the second time.
     */
    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            isStopping = true;
            LOGGER.info("stopping: address={}", text(address()));
            closeOpened(null);
        }
    }

    private synchronized void abandon(final Throwable cause)
    {
        isClosed = true;
        closeOpened(cause);
    }

    private void open()
    {
        final InetSocketAddress listenAddress = listenAddress();
        final Credentials credentials = new Credentials(options.tokens(), tls());
        checkMemory();
        final TablePlan plan = TablePlan.of(options.memory(), options.shards(), options.recordLength());
        final ServerMemory serverMemory = opened(ServerMemory.open(
            options, plan.regionLength(), listenAddress.getAddress().isLoopbackAddress()));
        devices = serverMemory.devices();
        final SessionGeometry geometry = geometry();
        final List<ServedDevice> offer = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++)
        {
            offer.add(new ServedDevice(
                i, devices.get(i), serverMemory.domain(i), serverMemory.region(i),
                maxSessions(devices.get(i), geometry)));
        }
        final int maxSessions =
            Math.min(options.maxSessions(), offer.stream().mapToInt(ServedDevice::maxSessions).sum());

        hugePages = serverMemory.hugePages();
        final DeviceMemory memory = serverMemory.memory();
        final SecureRandom random = new SecureRandom();
        final Superblock superblock = plan.superblock(
            random.nextLong(), random.nextLong() | 1, random.nextLong(), random.nextLong());
        superblock.write(memory.range().address());

        final Listener listener = new Listener();
        final List<IdleStrategy> idleStrategies = new ArrayList<>();
        for (int i = 0; i < plan.shards().size(); i++)
        {
            final ShardTable table = new ShardTable(memory.range(), superblock, i, SERVER_TERM);
            final Shard shard = opened(new Shard(
                i, plan.shards().size(), table, new KeyHash(superblock.hashSeed()), geometry,
                offer.stream().map((each) -> shardDevice(each, geometry)).toList(), listener,
                options.measuresTimes()));
            shards.add(shard);
            idleStrategies.add(shard.idleStrategy(options.spinNs()));
        }

        final ServedTable served = new ServedTable(
            List.copyOf(offer), List.copyOf(shards), superblock.tableId(), superblock.serverLife(), hugePages);
        acceptor = opened(listen(listenAddress, served, credentials, new SessionLimits(
            maxSessions,
            options.maxSessionsPerAddress(),
            options.maxSessionsPerIdentity(),
            options.maxHandshakes(),
            options.maxHandshakesPerAddress(),
            options.handshakeTimeoutNs(),
            TimeUnit.NANOSECONDS.toMillis(options.leaseNs()),
            geometry)));
        listener.acceptor = acceptor;
        for (int i = 0; i < shards.size(); i++)
        {
            final Shard shard = shards.get(i);
            run(shard, idleStrategies.get(i), shard::stop);
        }
        final List<String> descriptions = devices.stream().map(OpenDevice::describe).toList();
        for (int i = 0; i < devices.size(); i++)
        {
            final int index = i;
            opened(DeviceWatch.start(
                devices.get(i), "store-device-events" + (i == 0 ? "" : "-" + i),
                new DeviceEvents(i, shards, (reason) -> onDeviceFailed(index, reason))));
        }
        run(acceptor, NoOpIdleStrategy.INSTANCE, () -> acceptor.stop(stopReason()));
        // Said only now: where the server cannot start, the reason is the one line to be read.
        for (int i = 0; i < devices.size(); i++)
        {
            LOGGER.info("device opened: device={} why={}", descriptions.get(i), devices.get(i).why());
        }
        new Exposure(options).warn(acceptor.address(), devices);
        LOGGER.info("listening: address={} device={} memory={}MiB huge-pages={} shards={} sessions={} tls={}",
            text(acceptor.address()), device(), plan.regionLength() >> 20, hugePages ? "yes" : "no",
            shards.size(), maxSessions, options.tls() == null ? "no" : "yes");
    }

    static String text(final InetSocketAddress address)
    {
        final String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    private InetSocketAddress listenAddress()
    {
        final InetSocketAddress address = new InetSocketAddress(options.listenHost(), options.listenPort());
        if (address.isUnresolved())
        {
            throw new ServerException(
                "cannot listen, the host has no address here: host=" + options.listenHost());
        }
        new Exposure(options).check(address);
        return address;
    }

    /** Null for a bootstrap in the clear. */
    private TlsCredentials tls()
    {
        if (options.tls() == null)
        {
            return null;
        }
        try
        {
            return new TlsCredentials(
                options.tls(),
                (what) -> LOGGER.info("TLS files have changed and hold for new connections: {}", what),
                (why) -> LOGGER.warn("TLS files have changed and are no good, those before hold on: cause={}", why));
        }
        catch (final IOException e)
        {
            throw new ServerException("cannot read the files for TLS: " + e.getMessage(), e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException("cannot take the files for TLS: " + e.getMessage(), e);
        }
    }

    private void checkMemory()
    {
        final long physical = ((com.sun.management.OperatingSystemMXBean)
            ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
        if (options.memory() > physical)
        {
            throw new ServerException("more memory than this machine has, give less: memory=" +
                SystemUtil.formatSize(options.memory()) + " machine=" + SystemUtil.formatSize(physical));
        }
    }

    /** Of all devices' sessions alike. */
    private SessionGeometry geometry()
    {
        long longest = MAX_PIECE_LENGTH;
        int reads = READS;
        for (final OpenDevice device : devices)
        {
            longest = Math.min(longest, device.context().queryPort(device.port()).maxMessageLength());
            reads = Math.min(reads, device.context().queryDevice().maxInitiatedReadAtomic());
        }
        return new SessionGeometry(
            options.credits(),
            options.messageLength(),
            Math.max(2, options.credits() / CREDITS_PER_ANSWER_BUFFER),
            Math.max(1, reads),
            (int)longest,
            options.pullLimit());
    }

    private ShardDevice shardDevice(final ServedDevice served, final SessionGeometry geometry)
    {
        final Context context = served.device().context();
        final CompletionChannel channel = opened(context.createCompletionChannel());
        final CompletionQueue queue = opened(
            context.createCompletionQueue(served.maxSessions() * geometry.completions(), channel, 0));
        return new ShardDevice(served.device().kind(), channel, queue, served.region().localKey());
    }

    /** As many as wanted, unless their completions or queue pairs are more than the device has. */
    private int maxSessions(final OpenDevice of, final SessionGeometry geometry)
    {
        final DeviceAttributes device = of.context().queryDevice();
        final int room = Math.min(
            device.maxCompletions() / geometry.completions(), device.maxQueuePairs() / options.shards());
        if (room < 1)
        {
            throw new ServerException("device has no room for one session, take fewer credits or shards: device=" +
                of.name() + " credits=" + options.credits() + " shards=" + options.shards() +
                " completions=" + device.maxCompletions() + " queuePairs=" + device.maxQueuePairs());
        }
        return Math.min(room, options.maxSessions());
    }

    private Acceptor listen(
        final InetSocketAddress address,
        final ServedTable table,
        final Credentials credentials,
        final SessionLimits limits)
    {
        try
        {
            return new Acceptor(address, table, credentials, limits, SystemNanoClock.INSTANCE);
        }
        catch (final IOException e)
        {
            final boolean isOwn = e instanceof BindException && options.verbsDevice() == null &&
                devices.stream().anyMatch((device) -> isTakenBy(device.name(), address));
            throw new ServerException(
                "cannot listen, " + (isOwn ? "the server's own device has this port, give it another" :
                    "choose another address") + ": address=" + address.getHostString() + ":" + address.getPort() +
                    (isOwn ? " device=" + device() : "") + " cause=" + e.getMessage(), e);
        }
    }

    private static boolean isTakenBy(final String device, final InetSocketAddress address)
    {
        if (!device.endsWith(":" + address.getPort()))
        {
            return false;
        }
        try
        {
            final InetAddress at = Devices.listenAddress(device);
            return at != null && (at.equals(address.getAddress()) || at.isAnyLocalAddress() ||
                address.getAddress().isAnyLocalAddress());
        }
        catch (final VerbsException e)
        {
            LOGGER.debug("device's address cannot be looked up any more: device={}", device, e);
            return false;
        }
    }

    /** Runs an agent on a thread of its own until it is asked to stop, and has. */
    private void run(final Agent agent, final IdleStrategy idleStrategy, final Runnable stop)
    {
        final AgentRunner runner = new AgentRunner(
            idleStrategy,
            (error) ->
            {
                LOGGER.error("unexpected error: agent={}", agent.roleName(), error);
                if (error instanceof StillRunningException)
                {
                    stillRunning = error.getMessage();
                }
            },
            null,
            agent);
        final Thread thread = AgentRunner.startOnThread(runner, (task) -> new Thread(() -> attend(agent, task)));
        opened.push(() ->
        {
            stop.run();
            final String stuck = ThreadEnd.await(thread, LONGEST_STOP_NS);
            if (stuck != null || stillRunning != null)
            {
                throw new StillRunningException(stuck != null ? stuck : stillRunning);
            }
            runner.close();
        });
    }

    /** The runner has logged what it threw. */
    private void attend(final Agent agent, final Runnable task)
    {
        Throwable cause = null;
        try
        {
            task.run();
        }
        catch (final RuntimeException | Error e)
        {
            cause = e;
        }
        if (!isStopping)
        {
            fail(
                agent.roleName() + " has ended",
                cause == null ? new IllegalStateException("thread was interrupted") : cause);
        }
    }

    /** Its sessions end. With no other device that works, the server cannot go on. */
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
            fail("the device cannot go on", new ServerException(reason));
        }
        else
        {
            LOGGER.error("device has failed, its sessions end, and the server goes on with others: device={} " +
                "reason={} others={}", failed.name(), reason, DeviceNames.join(working));
        }
    }

    /** The server cannot go on. */
    private void fail(final String what, final Throwable cause)
    {
        if (!isStopping && failure.compareAndSet(null, cause))
        {
            // First of all: should memory be short, this is what must be done.
            options.onFailure().run();
            LOGGER.error("{}, stopping the server: cause={}", what, cause.toString());
            new Thread(this::close, "store-stop").start();
        }
    }

    /** For clients; what ended a thread is none of their business. */
    private String stopReason()
    {
        final Throwable cause = failure.get();
        final String reason = "server is about to stop";
        return cause instanceof ServerException ? reason + ": " + cause.getMessage() : reason;
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.push(resource);
        return resource;
    }

    private void closeOpened(final Throwable cause)
    {
        isStopping = true;
        while (!opened.isEmpty())
        {
            try
            {
                opened.pop().close();
            }
            catch (final StillRunningException e)
            {
                // It may use any of the rest, which the process' end frees.
                opened.clear();
                LOGGER.error("what the thread may use is left: {}", e.getMessage());
            }
            catch (final Exception e)
            {
                if (cause == null)
                {
                    LOGGER.error("could not be closed", e);
                }
                else
                {
                    cause.addSuppressed(e);
                }
            }
        }
    }

    /** Tells the acceptor, which is made after the shards. */
    private final class Listener implements ShardListener
    {
        private volatile Acceptor acceptor;

        @Override
        public void onEnded(final CreditedQueuePair connection, final String reason)
        {
            acceptor.onEnded(connection, reason);
        }

        @Override
        public void onBroken(final int device, final String reason)
        {
            onDeviceFailed(device, reason);
        }
    }
}
