package org.onesided.server.session;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.NanoClock;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.server.shard.ShardConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent that listens: one selector over the listening socket and all connections. It sleeps in the selector, so its
 * runner needs no idle strategy.
 */
public final class Acceptor implements Agent, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Acceptor.class);
    private static final int BACKLOG = 128;
    private static final int TLS_THREADS = 2;
    private static final long NS_PER_MS = 1_000_000L;
    /** Deadlines and leases are looked at so often while there are any. */
    private static final long TICK_MS = 100;
    private static final long MAX_SLEEP_MS = 10_000;
    /** A turn that took this much longer than it should was a pause of the whole process. */
    private static final long MAX_TURN_NS = 1_000 * NS_PER_MS;
    /** How long sessions may take to end when the server stops. */
    private static final long STOP_TIMEOUT_NS = 10_000 * NS_PER_MS;
    private static final int KEEPALIVE_IDLE_S = 15;
    private static final int KEEPALIVE_INTERVAL_S = 5;
    private static final int KEEPALIVE_COUNT = 4;

    private final SessionLimits limits;
    private final NanoClock clock;
    private final SessionKeeper keeper;
    private final Connector connector = new Connector(this::execute, this::fail);
    private final TlsCredentials tls;
    private final WorkerThreads tlsWorkers = new WorkerThreads("store-tls", TLS_THREADS, this::fail);
    private final Selector selector;
    private final ServerSocketChannel server;
    private final SelectionKey serverKey;
    private final InetSocketAddress address;
    private final long pauseThresholdNs;
    private final Queue<Runnable> commands = new ManyToOneConcurrentLinkedQueue<>();
    private final Set<ClientConnection> connections = new LinkedHashSet<>();
    /** Connections that may hold more messages than they were asked for. */
    private final List<ClientConnection> unfinished = new ArrayList<>();
    private long lastTurnNs;
    private long lastCheckNs;
    private long plannedSleepNs;
    /** As of the agent's last turn. */
    private volatile SessionMetrics metrics;
    /** What another thread met that this agent cannot go on after, or null. */
    private volatile Error error;
    private boolean isStopping;
    private long stopDeadlineNs;

    /**
     * Listens.
     *
     * @param listenAddress to listen on; port 0 for any free one.
     * @param table         to connect sessions to.
     * @param credentials   that clients must show, and the server's own.
     * @param limits        of sessions.
     * @param clock         for deadlines and leases.
     * @throws IOException if the address cannot be listened on; nothing stays open then.
     */
    public Acceptor(
        final InetSocketAddress listenAddress,
        final ServedTable table,
        final Credentials credentials,
        final SessionLimits limits,
        final NanoClock clock) throws IOException
    {
        this.limits = limits;
        this.clock = clock;
        tls = credentials.tls();
        keeper = new SessionKeeper(table, credentials, limits, clock, connector);
        metrics = keeper.metrics();
        selector = Selector.open();
        ServerSocketChannel opened = null;
        try
        {
            // Otherwise the address that stands for all of IPv4 would take IPv6, too.
            opened = listenAddress.getAddress() instanceof Inet4Address ?
                ServerSocketChannel.open(StandardProtocolFamily.INET) : ServerSocketChannel.open();
            opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            opened.bind(listenAddress, BACKLOG);
            opened.configureBlocking(false);
            serverKey = opened.register(selector, SelectionKey.OP_ACCEPT);
            address = (InetSocketAddress)opened.getLocalAddress();
        }
        catch (final IOException | RuntimeException e)
        {
            CloseHelper.quietCloseAll(opened, selector);
            throw e;
        }
        server = opened;
        pauseThresholdNs = Math.min(MAX_TURN_NS, limits.leaseMs() * NS_PER_MS / 4);
        lastTurnNs = clock.nanoTime();
        lastCheckNs = lastTurnNs;
    }

    /**
     * @return where it listens.
     */
    public InetSocketAddress address()
    {
        return address;
    }

    /**
     * @return sessions there are, those that may still be resumed included. Safe to ask from any thread.
     */
    public int sessionCount()
    {
        return metrics.sessionCount();
    }

    /**
     * @return what became of sessions. Safe to ask from any thread.
     */
    public SessionMetrics metrics()
    {
        return metrics;
    }

    /**
     * Makes the agent take leave of all clients, end all sessions, and terminate. Safe to call from any thread.
     *
     * @param reason told to the clients.
     */
    public void stop(final String reason)
    {
        execute(() ->
        {
            isStopping = true;
            stopDeadlineNs = clock.nanoTime() + STOP_TIMEOUT_NS;
            CloseHelper.quietClose(server);
            keeper.shutDown(new ArrayList<>(connections), reason);
        });
    }

    /**
     * Hears that a shard has destroyed a session's queue pair. Safe to call from any thread.
     *
     * @param connection that ended.
     * @param reason     why, if the shard ended it; null if it was told to.
     */
    public void onEnded(final ShardConnection connection, final String reason)
    {
        execute(() -> keeper.onEnded(connection, reason));
    }

    @Override
    public String roleName()
    {
        return "store-acceptor";
    }

    @Override
    public int doWork() throws IOException
    {
        final long sleepMs = sleepMs();
        plannedSleepNs = sleepMs * NS_PER_MS;
        if (sleepMs == 0)
        {
            selector.selectNow();
        }
        else
        {
            selector.select(sleepMs);
        }

        final long nowNs = clock.nanoTime();
        excusePause(nowNs);
        executeCommands();
        if (error != null)
        {
            throw error;
        }
        serveUnfinished();
        serveSelected();
        checkDeadlines(nowNs);
        connections.removeIf((connection) -> connection.state() == ClientConnection.State.CLOSED);
        metrics = keeper.metrics();
        if (isStopping)
        {
            checkStopped(nowNs);
        }
        return 1;
    }

    /**
     * Closes all sockets, once the agent has terminated or was never started.
     */
    @Override
    public void close()
    {
        connections.forEach(ClientConnection::close);
        connector.close();
        tlsWorkers.close();
        // What was made too late is discarded.
        executeCommands();
        CloseHelper.quietCloseAll(server, selector);
    }

    private void checkStopped(final long nowNs)
    {
        final boolean isLate = nowNs - stopDeadlineNs > 0;
        if (isLate)
        {
            LOGGER.error("sessions did not end in time: sessions={}", keeper.size());
        }
        if (isLate || keeper.isEmpty() && connections.isEmpty())
        {
            throw new AgentTerminationException(true);
        }
    }

    private void execute(final Runnable command)
    {
        commands.add(command);
        selector.wakeup();
    }

    private void fail(final Error cause)
    {
        error = cause;
        selector.wakeup();
    }

    private void executeCommands()
    {
        for (Runnable command = commands.poll(); command != null; command = commands.poll())
        {
            try
            {
                command.run();
            }
            catch (final RuntimeException e)
            {
                LOGGER.error("unexpected error", e);
            }
        }
    }

    private long sleepMs()
    {
        if (!unfinished.isEmpty())
        {
            return 0;
        }
        for (final ClientConnection connection : connections)
        {
            if (connection.hasDeadline())
            {
                return TICK_MS;
            }
        }
        if (isStopping || serverKey.interestOps() == 0)
        {
            return TICK_MS;
        }
        return keeper.isEmpty() ? MAX_SLEEP_MS : Math.max(1, Math.min(MAX_SLEEP_MS, limits.leaseMs() / 4));
    }

    /** While the whole process was stopped, nobody could send anything that it would have noticed. */
    private void excusePause(final long nowNs)
    {
        final long pauseNs = nowNs - lastTurnNs - plannedSleepNs;
        lastTurnNs = nowNs;
        if (pauseNs > pauseThresholdNs)
        {
            LOGGER.warn("process was stopped for at least so long, extending leases by that: pause-ms={}",
                pauseNs / NS_PER_MS);
            keeper.excuse(pauseNs);
            connections.forEach((connection) -> connection.deadlineNs(connection.deadlineNs() + pauseNs));
        }
    }

    private void serveUnfinished()
    {
        final List<ClientConnection> again = new ArrayList<>(unfinished);
        unfinished.clear();
        again.forEach(this::serve);
    }

    private void serveSelected()
    {
        final Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext())
        {
            final SelectionKey key = keys.next();
            keys.remove();
            if (key.isValid())
            {
                if (key.attachment() == null)
                {
                    accept();
                }
                else
                {
                    serve((ClientConnection)key.attachment());
                }
            }
        }
    }

    private void serve(final ClientConnection connection)
    {
        try
        {
            if (connection.state() != ClientConnection.State.CLOSED && connection.onReady(keeper))
            {
                unfinished.add(connection);
            }
        }
        catch (final RuntimeException e)
        {
            LOGGER.error("ending a connection after an unexpected error: peer={}", connection.peer(), e);
            keeper.refuse(connection, Refusal.INTERNAL, "server failed: " + e);
        }
    }

    private void accept()
    {
        SocketChannel socket = null;
        try
        {
            socket = server.accept();
            if (socket != null)
            {
                makeRoom(AddressGroup.of(socket));
                keepAlive(socket);
                connections.add(new ClientConnection(
                    socket, selector, clock.nanoTime() + limits.handshakeTimeoutNs(), this::channel,
                    (connection) -> execute(() -> serve(connection))));
            }
        }
        catch (final IOException e)
        {
            // Most likely out of file descriptors: try again with the next tick, not in a tight loop.
            LOGGER.warn("connection could not be accepted: cause={}", e.getMessage());
            serverKey.interestOps(0);
            CloseHelper.quietClose(socket);
        }
        catch (final RuntimeException e)
        {
            CloseHelper.quietClose(socket);
            throw e;
        }
    }

    private MessageChannel channel(final SocketChannel socket, final Runnable whenDone) throws IOException
    {
        return tls == null ?
            new MessageChannel(socket, Bootstrap.MAX_HELLO_LENGTH) :
            tls.accepted(socket, Bootstrap.MAX_HELLO_LENGTH, tlsWorkers, whenDone);
    }

    /** Strangers that keep their connection open without a word do not keep others out: the oldest must go. */
    private void makeRoom(final AddressGroup address)
    {
        ClientConnection stranger = null;
        ClientConnection neighbour = null;
        ClientConnection leaving = null;
        int greeting = 0;
        int near = 0;
        int closing = 0;
        for (final ClientConnection connection : connections)
        {
            if (connection.isGreeting())
            {
                greeting++;
                stranger = stranger == null && connection.session() == null ? connection : stranger;
                if (connection.address().equals(address))
                {
                    near++;
                    neighbour = neighbour == null && connection.session() == null ? connection : neighbour;
                }
            }
            else if (connection.state() == ClientConnection.State.CLOSING)
            {
                closing++;
                leaving = leaving == null ? connection : leaving;
            }
        }
        if (near >= limits.handshakesFrom(address) && neighbour != null)
        {
            keeper.refuse(neighbour, Refusal.HANDSHAKES_PER_ADDRESS,
                "too many handshakes at a time from one address: address=" + address);
        }
        else if (greeting >= limits.maxHandshakes() && stranger != null)
        {
            keeper.refuse(stranger, Refusal.HANDSHAKES, "too many handshakes at a time");
        }
        if (closing >= limits.maxHandshakes())
        {
            leaving.close();
        }
    }

    private static void keepAlive(final SocketChannel socket) throws IOException
    {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        setIfThere(socket, ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_IDLE_S);
        setIfThere(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEPALIVE_INTERVAL_S);
        setIfThere(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_COUNT);
    }

    private static void setIfThere(final SocketChannel socket, final SocketOption<Integer> option, final int value)
        throws IOException
    {
        if (socket.supportedOptions().contains(option))
        {
            socket.setOption(option, value);
        }
    }

    private void checkDeadlines(final long nowNs)
    {
        if (nowNs - lastCheckNs < TICK_MS * NS_PER_MS / 2)
        {
            return;
        }
        lastCheckNs = nowNs;
        for (final ClientConnection connection : connections)
        {
            if (connection.hasDeadline() && nowNs - connection.deadlineNs() > 0)
            {
                keeper.onDeadline(connection);
            }
        }
        if (!isStopping)
        {
            keeper.checkLeases(nowNs);
            serverKey.interestOps(SelectionKey.OP_ACCEPT);
        }
    }
}
