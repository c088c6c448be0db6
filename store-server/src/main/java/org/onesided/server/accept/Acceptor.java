package org.onesided.server.accept;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.NanoClock;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.protocol.bootstrap.TokenFiles;
import org.onesided.server.agent.Commands;
import org.onesided.server.memory.RetiredMemory;
import org.onesided.server.session.BootstrapConnection;
import org.onesided.server.session.Connector;
import org.onesided.server.session.Credentials;
import org.onesided.server.session.Refusal;
import org.onesided.server.session.ServedTable;
import org.onesided.server.session.SessionKeeper;
import org.onesided.server.session.SessionLimits;
import org.onesided.server.session.SessionMetrics;
import org.onesided.server.session.WorkerThreads;
import org.onesided.server.shard.agent.CreditedQueuePair;
import org.onesided.server.shard.reign.ShardRole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent that listens: one selector over the listening socket and all connections. It sleeps in the selector, so its
 * runner needs no idle strategy.
 */
public final class Acceptor implements Agent, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Acceptor.class);
    private static final int TLS_THREADS = 2;
    private static final long NS_PER_MS = 1_000_000L;
    /** Interval of checking deadlines and leases, while there are any. */
    private static final long TICK_MS = Entrance.RETRY_MS;
    private static final long MAX_SLEEP_MS = 10_000;
    /** The same interval while clients wait for their turn. */
    private static final long WAITING_TICK_MS = 10;
    /** If a turn takes this much longer than planned, the whole process was paused. */
    private static final long MAX_TURN_NS = 1_000 * NS_PER_MS;
    /** Time limit for ending all sessions when the server stops. */
    private static final long STOP_TIMEOUT_NS = 10_000 * NS_PER_MS;

    private final SessionLimits limits;
    private final NanoClock clock;
    private final SessionKeeper keeper;
    private final Connector connector = new Connector(this::execute, this::fail);
    private final TlsCredentials tls;
    private final WorkerThreads tlsWorkers = new WorkerThreads("store-tls", TLS_THREADS, this::fail);
    /** Null if tokens do not change. */
    private final TokenWatch tokens;
    private final Selector selector;
    private final Commands commands;
    private final ListeningSocket listener;
    private final Entrance entrance;
    private final long pauseThresholdNs;
    private final Connections connections = new Connections();
    /** Connections that may have more buffered messages. */
    private final List<BootstrapConnection> unfinished = new ArrayList<>();
    private long lastTurnNs;
    private long lastCheckNs;
    private long plannedSleepNs;
    /** Metrics as of the agent's last turn. */
    private volatile SessionMetrics metrics;
    /** A failure of another thread that ends this agent, or null. */
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
        commands = new Commands(roleName(), selector::wakeup);
        try
        {
            listener = new ListeningSocket(listenAddress, selector);
        }
        catch (final IOException | RuntimeException e)
        {
            CloseHelper.quietClose(selector);
            throw e;
        }
        entrance = new Entrance(listener, selector, limits, clock, new Owner(), keeper, connections, tls == null);
        pauseThresholdNs = Math.min(MAX_TURN_NS, limits.leaseMs() * NS_PER_MS / 4);
        lastTurnNs = clock.nanoTime();
        lastCheckNs = lastTurnNs;
        final TokenFiles files = credentials.tokens() == null ? null : credentials.tokens().files();
        tokens = files == null ? null :
            new TokenWatch(files, lastTurnNs, this::execute, keeper::onTokens, this::fail);
    }

    /**
     * @return where it listens.
     */
    public InetSocketAddress address()
    {
        return listener.address();
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
            entrance.shut();
            keeper.shutDown(connections.toList(), reason);
        });
    }

    /**
     * Has all clients confirm that they do not READ what is retired. Safe to call from any thread.
     *
     * @param retired all that was before has been confirmed.
     * @param then    is run when all have confirmed or have no queue pairs any more, by the agent's thread.
     */
    public void retire(final RetiredMemory retired, final Runnable then)
    {
        execute(() -> keeper.retire(retired, then));
    }

    /**
     * Hears that a shard has destroyed a session's queue pair. Safe to call from any thread.
     *
     * @param queuePair that ended.
     * @param reason    why, if the shard ended it; null if it was told to.
     */
    public void onEnded(final CreditedQueuePair queuePair, final String reason)
    {
        execute(() -> keeper.onEnded(queuePair, reason));
    }

    /**
     * Hears what this server is in a shard's log. Safe to call from any thread.
     *
     * @param shard number of the shard.
     * @param role  from now on.
     */
    public void onRole(final int shard, final ShardRole role)
    {
        execute(() -> keeper.onRole(shard, role));
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
        commands.execute();
        if (error != null)
        {
            throw error;
        }
        serveUnfinished();
        serveSelected();
        entrance.letIn(nowNs);
        checkDeadlines(nowNs);
        if (tokens != null && !isStopping)
        {
            tokens.check(nowNs);
        }
        keeper.checkConfirmations(nowNs);
        connections.sweep();
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
        connections.forEach(BootstrapConnection::close);
        entrance.close();
        try
        {
            connector.close();
        }
        finally
        {
            try
            {
                CloseHelper.closeAll(tlsWorkers, tokens);
            }
            finally
            {
                // Discard results that come after the close.
                commands.execute();
                CloseHelper.quietClose(selector);
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
    }

    private void fail(final Error cause)
    {
        error = cause;
        selector.wakeup();
    }

    private long sleepMs()
    {
        if (!unfinished.isEmpty())
        {
            return 0;
        }
        if (entrance.isCrowded())
        {
            return WAITING_TICK_MS;
        }
        if (connections.haveDeadline() || isStopping || !listener.isListening())
        {
            return TICK_MS;
        }
        final long longestMs = tokens == null ? MAX_SLEEP_MS : TokenWatch.INTERVAL_MS;
        return keeper.isEmpty() ? longestMs : Math.max(1, Math.min(longestMs, limits.leaseMs() / 4));
    }

    /** Extends leases by a pause of the process, in which it could not read messages. */
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
            entrance.excuse(pauseNs);
        }
    }

    private void serveUnfinished()
    {
        final List<BootstrapConnection> again = new ArrayList<>(unfinished);
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
                    entrance.accept(lastTurnNs);
                }
                else
                {
                    serve((BootstrapConnection)key.attachment());
                }
            }
        }
    }

    private void serve(final BootstrapConnection connection)
    {
        connection.heard(lastTurnNs);
        try
        {
            if (connection.state() != BootstrapConnection.State.CLOSED && connection.onReady(keeper))
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

    private void checkDeadlines(final long nowNs)
    {
        if (nowNs - lastCheckNs < TICK_MS * NS_PER_MS / 2)
        {
            return;
        }
        lastCheckNs = nowNs;
        connections.forEach((connection) ->
        {
            if (connection.hasDeadline() && nowNs - connection.deadlineNs() > 0)
            {
                keeper.onDeadline(connection);
            }
        });
        if (!isStopping)
        {
            keeper.checkLeases(nowNs);
            entrance.resume();
        }
    }

    /** Checks the deadlines of all connections. */
    private final class Owner implements BootstrapConnection.Owner
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
        public void onDone(final BootstrapConnection connection)
        {
            execute(() ->
            {
                connection.done(lastTurnNs);
                serve(connection);
            });
        }

        @Override
        public void onLeaving(final BootstrapConnection connection)
        {
            connections.onLeaving(connection);
        }

        @Override
        public void onClosed(final BootstrapConnection connection)
        {
            connections.onClosed(connection);
        }
    }
}
