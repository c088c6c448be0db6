package org.onesided.client.session;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.bootstrap.ServedShards;
import org.onesided.client.bootstrap.SilenceHint;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ServerInfo;
import org.onesided.protocol.table.Superblock;
import org.onesided.verbs.BootClock;
import org.onesided.verbs.ThreadEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shared state of a client's sessions. Thread-safe.
 */
public final class ClientContext
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ClientContext.class);
    private static final long LISTENER_PATIENCE_NS = 1_000_000_000L;

    /** A session of the client, as other threads may use it. */
    interface Session
    {
        /**
         * @return what it is attached to now, or null.
         */
        Attachment attachment();

        /**
         * @return its counters.
         */
        Counters counters();

        /** Makes all operations fail, also waiting ones, because the client is closed. */
        void beginClosing();
    }

    private final ClientConfiguration configuration;
    private final Destination destination;
    private final ClientDevice device;
    private final LifeLine lifeLine;
    private final SilenceHint silenceHint;
    private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    private final Counters ended = new Counters();
    private final Set<Long> formerLives = new HashSet<>();
    private Table table;
    private HeldLease lease;
    private volatile ServerInfo server;
    private volatile String portDownReason;
    private volatile boolean isClosed;

    /**
     * For a server that is alone.
     *
     * @param configuration of the client.
     * @param address       of the server.
     * @param device        of the client.
     * @param lifeLine      keeps the sessions alive.
     */
    public ClientContext(
        final ClientConfiguration configuration,
        final HostAndPort address,
        final ClientDevice device,
        final LifeLine lifeLine)
    {
        this(configuration, new FixedDestination(address), device, lifeLine);
    }

    /**
     * @param configuration of the client.
     * @param destination   where its sessions attach.
     * @param device        of the client.
     * @param lifeLine      keeps the sessions alive.
     */
    public ClientContext(
        final ClientConfiguration configuration,
        final Destination destination,
        final ClientDevice device,
        final LifeLine lifeLine)
    {
        this.configuration = configuration;
        this.destination = destination;
        this.device = device;
        this.lifeLine = lifeLine;
        silenceHint = destination.isMoving() ? null : new SilenceHint(destination.latest());
    }

    /**
     * @return the settings of the client.
     */
    public ClientConfiguration configuration()
    {
        return configuration;
    }

    /**
     * @return where the sessions attach.
     */
    public Destination destination()
    {
        return destination;
    }

    /**
     * @return the server's address; of a cluster, that of the member which the client knows as the leader.
     */
    public HostAndPort address()
    {
        return destination.latest();
    }

    /**
     * @return the server's address, as failures show it.
     */
    public String addressText()
    {
        return destination.text();
    }

    /**
     * @return the client's device.
     */
    public ClientDevice device()
    {
        return device;
    }

    /** For the first connection; null if another server may be the next. */
    SilenceHint silenceHint()
    {
        return silenceHint;
    }

    /**
     * @return the life line of its sessions.
     */
    public LifeLine lifeLine()
    {
        return lifeLine;
    }

    /**
     * @return whether the client was closed, so that operations fail.
     */
    public boolean isClosed()
    {
        return isClosed;
    }

    /**
     * @return the server as of the latest connection, or null before the first.
     */
    public ServerInfo server()
    {
        return server;
    }

    /**
     * The table that a superblock describes: the one that other sessions use, if it is the same in the same memory. The
     * caller releases it. A server that keeps its data has the same table after a restart, even the same superblock,
     * but builds it anew: what was learned of the former memory, such as tags of chains, proves nothing about this one.
     *
     * @param memoryId names the memory.
     */
    synchronized Table share(final Superblock superblock, final long memoryId)
    {
        if (table == null || table.memoryId() != memoryId || !table.superblock().equals(superblock))
        {
            final Table made = new Table(
                superblock,
                memoryId,
                ServedShards.of(destination.shard(), superblock.shards().size()),
                configuration.mirrorBytes(),
                length -> device.context().reserve(length, configuration.hugePages()));
            if (isClosed)
            {
                return made;
            }
            releaseTable();
            table = made;
        }
        table.retain();
        return table;
    }

    private void releaseTable()
    {
        if (table != null)
        {
            table.release();
            table = null;
        }
    }

    /**
     * The lease that all sessions share which READ the same memory: one counts for no other. A session that is still
     * attached to a former memory keeps the lease of that.
     *
     * @param memoryId names the memory.
     * @param leaseNs  length of a lease in nanoseconds.
     */
    synchronized HeldLease lease(final long memoryId, final long leaseNs)
    {
        if (lease == null || lease.life() != memoryId)
        {
            lease = new HeldLease(memoryId, leaseNs, BootClock.system()::nanoTime);
        }
        return lease;
    }

    /** A session attached. Calls the listener once per new life of the server, however many sessions find it. */
    void attached(final ServerInfo now)
    {
        final ServerInfo before;
        synchronized (this)
        {
            before = server;
            if (formerLives.contains(now.serverLife()))
            {
                // Another session has already found the next life, so this attachment is lost.
                return;
            }
            if (before != null && before.serverLife() != now.serverLife())
            {
                formerLives.add(before.serverLife());
            }
            server = now;
        }
        if (before == null || before.serverLife() == now.serverLife())
        {
            return;
        }
        if (before.tableId() == now.tableId())
        {
            LOGGER.info("server came back as a new life with its table: server={}", now.address());
        }
        else
        {
            LOGGER.warn(
                "server came back as a new life with another table, empty or restored: server={}", now.address());
        }
        // The listener is the application's code. It may wait for something that only this thread can do.
        final Thread teller = new Thread(() -> tell(before, now), "onesided-server-life " + now.address());
        teller.setDaemon(true);
        teller.start();
        ThreadEnd.await(teller, LISTENER_PATIENCE_NS);
    }

    private void tell(final ServerInfo before, final ServerInfo now)
    {
        try
        {
            configuration.lifeListener().onNewServerLife(before, now);
        }
        catch (final RuntimeException e)
        {
            LOGGER.warn("listener for new lives failed", e);
        }
    }

    void opened(final Session session)
    {
        sessions.add(session);
    }

    /** How many sessions are open. */
    int sessionCount()
    {
        return sessions.size();
    }

    /** The device's port went down, or is up again if the reason is null. */
    void portDown(final String reason)
    {
        portDownReason = reason;
    }

    /** Why a session was lost: if the port is down, that is the reason, whatever was seen first. */
    String lossReason(final String seen)
    {
        final String reason = portDownReason;
        return reason == null ? seen : reason;
    }

    /** Visits the attachments of all sessions, without those in creation. */
    void forEachAttachment(final Consumer<Attachment> consumer)
    {
        sessions.forEach((session) ->
        {
            final Attachment attachment = session.attachment();
            if (attachment != null)
            {
                consumer.accept(attachment);
            }
        });
    }

    void ended(final Session session)
    {
        synchronized (ended)
        {
            if (sessions.remove(session))
            {
                ended.addAll(session.counters());
            }
        }
    }

    /**
     * @return the counters of all sessions, of those that ended as well.
     */
    public ClientStatistics statistics()
    {
        final Counters sum = new Counters();
        synchronized (ended)
        {
            sum.addAll(ended);
            sessions.forEach(session -> sum.addAll(session.counters()));
        }
        return sum.statistics();
    }

    /**
     * From here on operations fail; those that wait are woken to do so.
     *
     * @return whether it was open.
     */
    public boolean close()
    {
        synchronized (this)
        {
            if (isClosed)
            {
                return false;
            }
            isClosed = true;
            releaseTable();
        }
        sessions.forEach(Session::beginClosing);
        return true;
    }
}
