package org.onesided.server.session;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.NanoClock;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.server.shard.CreditedQueuePair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent that listens: one selector over the listening socket and all connections. It sleeps in the selector, so its
 * runner needs no idle strategy.
 */
public final class Acceptor implements Agent, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Acceptor.class);
    /** Of connections that nobody has accepted; the kernel may have a lower limit. */
    private static final int BACKLOG = 1024;
    private static final int ACCEPTED_AT_ONCE = 64;
    private static final int TLS_THREADS = 2;
    private static final long NS_PER_MS = 1_000_000L;
    /** Deadlines and leases are looked at so often while there are any. */
    private static final long TICK_MS = 100;
    private static final long MAX_SLEEP_MS = 10_000;
    /** The same while clients wait for their turn. */
    private static final long WAITING_TICK_MS = 10;
    /** For each handshake at a time so many may wait, and a few at least. */
    private static final int WAITING_PER_HANDSHAKE = 8;
    private static final int MIN_WAITING = 128;
    /** A turn that took this much longer than it should was a pause of the whole process. */
    private static final long MAX_TURN_NS = 1_000 * NS_PER_MS;
    /** So often it is told at most that connections cannot be accepted. */
    private static final long FAILURE_PERIOD_NS = 10_000 * NS_PER_MS;
    /** How long sessions may take to end when the server stops. */
    private static final long STOP_TIMEOUT_NS = 10_000 * NS_PER_MS;

    private final SessionLimits limits;
    private final NanoClock clock;
    private final SessionKeeper keeper;
    private final Connector connector = new Connector(this::execute, this::fail);
    private final TlsCredentials tls;
    private final WorkerThreads tlsWorkers = new WorkerThreads("store-tls", TLS_THREADS, this::fail);
    private final Owner owner = new Owner();
    private final Selector selector;
    private final ServerSocketChannel server;
    private final SelectionKey serverKey;
    private final InetSocketAddress address;
    private final long pauseThresholdNs;
    private final Queue<Runnable> commands = new ManyToOneConcurrentLinkedQueue<>();
    private final Set<ClientConnection> connections = new LinkedHashSet<>();
    private final Handshakes handshakes;
    private final WaitingRoom waiting;
    /** Connections that were given their last message, in the order in which they were. */
    private final Deque<ClientConnection> leaving = new ArrayDeque<>();
    /** Connections that were closed since the last turn. */
    private final List<ClientConnection> closed = new ArrayList<>();
    /** Connections that may hold more messages than they were asked for. */
    private final List<ClientConnection> unfinished = new ArrayList<>();
    private final LogRation linesOnFailures = new LogRation(1, FAILURE_PERIOD_NS);
    /** Since none could be accepted, until the next tick. */
    private boolean isAcceptPaused;
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
        handshakes = new Handshakes(limits);
        waiting = new WaitingRoom(Math.max(MIN_WAITING, WAITING_PER_HANDSHAKE * limits.maxHandshakes()));
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
            for (WaitingRoom.Guest guest = waiting.next((any) -> true); guest != null;
                guest = waiting.next((any) -> true))
            {
                begin(guest.socket());
            }
            keeper.shutDown(new ArrayList<>(connections), reason);
        });
    }

    /**
     * Hears that a shard has destroyed a session's queue pair. Safe to call from any thread.
     *
     * @param connection that ended.
     * @param reason     why, if the shard ended it; null if it was told to.
     */
    public void onEnded(final CreditedQueuePair connection, final String reason)
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
        letIn(nowNs);
        checkDeadlines(nowNs);
        closed.forEach(connections::remove);
        closed.forEach(leaving::remove);
        closed.clear();
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
        waiting.close();
        try
        {
            connector.close();
        }
        finally
        {
            try
            {
                tlsWorkers.close();
            }
            finally
            {
                // What was made too late is discarded.
                executeCommands();
                CloseHelper.quietCloseAll(server, selector);
            }
        }
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
        if (!waiting.isEmpty())
        {
            return WAITING_TICK_MS;
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
            connections.forEach((connection) -> connection.excuse(pauseNs));
            waiting.excuse(pauseNs);
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
        connection.heard(lastTurnNs);
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
        // Those who wait come first.
        letIn(lastTurnNs);
        try
        {
            SocketChannel socket = server.accept();
            for (int i = 1; socket != null; i++)
            {
                receive(socket);
                socket = i < ACCEPTED_AT_ONCE && !waiting.isFull() ? server.accept() : null;
            }
        }
        catch (final IOException e)
        {
            // Most likely out of file descriptors: try again with the next tick, not in a tight loop.
            isAcceptPaused = true;
            listen();
            if (linesOnFailures.admits(clock.nanoTime()))
            {
                LOGGER.warn("connection could not be accepted, trying again each {} ms: cause={} untold={}", TICK_MS,
                    e.getMessage(), linesOnFailures.takeWithheld());
            }
        }
    }

    private void listen()
    {
        serverKey.interestOps(waiting.isFull() || isAcceptPaused ? 0 : SelectionKey.OP_ACCEPT);
    }

    /** Lets a client begin its handshake, or wait, or refuses it where too many from its address wait. */
    private void receive(final SocketChannel socket)
    {
        cutOldestLeaving();
        try
        {
            final AddressGroup address = AddressGroup.of(socket);
            KeepAlive.set(socket);
            socket.configureBlocking(false);
            if (tls == null)
            {
                // Before anything else, and those that wait, too: so clients see at once who listens here.
                socket.write(MessageChannel.greeting());
            }
            if (handshakes.hasPlace(address))
            {
                begin(socket);
            }
            else if (waiting.isFullFor(address))
            {
                refuse(begin(socket));
            }
            else
            {
                waiting.add(new WaitingRoom.Guest(socket, address, clock.nanoTime() + limits.handshakeTimeoutNs()));
            }
        }
        catch (final IOException e)
        {
            // It is gone already.
            CloseHelper.quietClose(socket);
        }
        catch (final RuntimeException e)
        {
            CloseHelper.quietClose(socket);
            throw e;
        }
    }

    private ClientConnection begin(final SocketChannel socket)
    {
        try
        {
            final long nowNs = clock.nanoTime();
            final ClientConnection connection = new ClientConnection(
                socket, selector, nowNs, nowNs + limits.handshakeTimeoutNs(), owner);
            connections.add(connection);
            handshakes.add(connection);
            return connection;
        }
        catch (final IOException e)
        {
            // It is gone already.
            CloseHelper.quietClose(socket);
            return null;
        }
        catch (final RuntimeException e)
        {
            CloseHelper.quietClose(socket);
            throw e;
        }
    }

    /** Lets those begin who wait and for whom there is a place; clients that keep the server waiting give way. */
    private void letIn(final long nowNs)
    {
        if (waiting.isEmpty() || isStopping)
        {
            return;
        }
        WaitingRoom.Guest guest = nextGuest(nowNs);
        while (guest != null)
        {
            begin(guest.socket());
            guest = nextGuest(nowNs);
        }
        for (guest = waiting.late(nowNs); guest != null; guest = waiting.late(nowNs))
        {
            refuse(begin(guest.socket()));
        }
        listen();
    }

    private WaitingRoom.Guest nextGuest(final long nowNs)
    {
        return waiting.next((address) -> handshakes.hasPlace(address) || hasGivenWay(address, nowNs));
    }

    /** Whether one that keeps the server waiting gave its place to one from an address. */
    private boolean hasGivenWay(final AddressGroup address, final long nowNs)
    {
        final ClientConnection stale = handshakes.stale(address, nowNs);
        refuse(stale);
        return stale != null;
    }

    private void refuse(final ClientConnection connection)
    {
        if (connection != null)
        {
            handshakes.refuse(connection, keeper);
        }
    }

    /** Those that do not read their last message are as many as others may be: one goes for each that comes. */
    private void cutOldestLeaving()
    {
        if (leaving.size() > limits.maxHandshakes())
        {
            leaving.poll().cutOff();
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
            isAcceptPaused = false;
            listen();
        }
    }

    /** Of all connections. */
    private final class Owner implements ClientConnection.Owner
    {
        @Override
        public MessageChannel channel(final SocketChannel socket, final Runnable whenDone) throws IOException
        {
            if (tls == null)
            {
                return new MessageChannel(socket, Bootstrap.MAX_HELLO_LENGTH);
            }
            final MessageChannel channel = tls.accepted(socket, Bootstrap.MAX_HELLO_LENGTH, tlsWorkers, whenDone);
            channel.greet();
            return channel;
        }

        @Override
        public void onDone(final ClientConnection connection)
        {
            execute(() ->
            {
                connection.done(lastTurnNs);
                serve(connection);
            });
        }

        @Override
        public void onLeaving(final ClientConnection connection)
        {
            leaving.add(connection);
        }

        @Override
        public void onClosed(final ClientConnection connection)
        {
            closed.add(connection);
        }
    }
}
