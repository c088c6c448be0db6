package org.onesided.server;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.onesided.server.backup.BackupService;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.table.TableTime;
import org.onesided.verbs.JvmFlags;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store server: one registered region, one writer per shard, one acceptor. It runs from {@link #start} until
 * {@link #close}. Thread-safe.
 */
public final class StoreServer implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StoreServer.class);

    private final ServerOptions options;
    private final long backupClientNs;
    private final ServerFailure failure;
    private final ServerResources resources;
    /** Null until it has started. */
    private ServerParts parts;
    private boolean isClosed;

    private StoreServer(final ServerOptions options, final long backupClientNs)
    {
        this.options = options;
        this.backupClientNs = backupClientNs;
        failure = new ServerFailure(() -> options.onFailure().run(), this::close);
        resources = new ServerResources(failure::agentEnded);
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
        return parts.acceptor().address();
    }

    /**
     * @return name of its device, the one that was chosen if that was left to the server, with the port where it
     *         listens by itself; of several, with commas between them.
     */
    public String device()
    {
        return parts.devices().names();
    }

    /**
     * @return whether its table is in huge pages.
     */
    public boolean hugePages()
    {
        return parts.memory().hugePages();
    }

    /**
     * @return sessions there are, those that may still be resumed included.
     */
    public int sessionCount()
    {
        return parts.acceptor().sessionCount();
    }

    /**
     * Reads all counters; no thread of the server waits or does anything for it.
     *
     * @return what the server has done, and how it stands.
     */
    public ServerMetrics metrics()
    {
        return new ServerMetrics(
            parts.acceptor().metrics(), parts.shards().stream().map(Shard::metrics).toList(), parts.use().metrics(),
            parts.devices().faults(), eviction(), defaultTtlMs(),
            parts.durability() == null ? null : parts.durability().stand());
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
        return parts.shards().size();
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
        // A server that fails while it starts is closed by the thread that starts it.
        if (!isClosed && parts != null)
        {
            isClosed = true;
            failure.stop();
            LOGGER.info("stopping: address={}", ServerAddress.text(address()));
            try
            {
                if (parts.durability() != null && failure.isInOrder())
                {
                    parts.durability().handOver(parts.shards());
                    parts.durability().stopsCleanly();
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
        parts = new ServerStart(options, backupClientNs, resources, failure).run();
        LOGGER.info("listening: address={} device={} memory={}MiB huge-pages={} shards={} sessions={} tls={} " +
            "evict={} default-ttl={}",
            ServerAddress.text(address()), device(), parts.memory().table().limit() >> 20, hugePages() ? "yes" : "no",
            shardCount(), parts.maxSessions(), options.tls() == null ? "no" : "yes", eviction().label(),
            defaultTtlMs() == 0 ? "never" : defaultTtlMs() + "ms");
    }
}
