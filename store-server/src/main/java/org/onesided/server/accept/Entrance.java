package org.onesided.server.accept;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.server.session.AddressGroup;
import org.onesided.server.session.BootstrapConnection;
import org.onesided.server.session.LogRation;
import org.onesided.server.session.Refusal;
import org.onesided.server.session.SessionLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits clients. Each accepted connection begins its handshake, waits while the limit of handshakes is reached, or is
 * refused if too many of its address wait. For the acceptor's thread.
 */
final class Entrance implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Entrance.class);
    /** Interval of retries after connections could not be accepted. */
    static final long RETRY_MS = 100;
    private static final int ACCEPTED_AT_ONCE = 64;
    /** Waiting connections per concurrent handshake, and the minimum number of places. */
    private static final int WAITING_PER_HANDSHAKE = 8;
    private static final int MIN_WAITING = 128;
    /** Minimum interval between log lines about connections that cannot be accepted. */
    private static final long FAILURE_PERIOD_NS = 10_000_000_000L;

    private final ListeningSocket listener;
    private final Selector selector;
    private final SessionLimits limits;
    private final NanoClock clock;
    private final BootstrapConnection.Owner owner;
    private final BootstrapConnection.Handler handler;
    private final Connections connections;
    private final boolean greets;
    private final Handshakes handshakes;
    private final WaitingRoom waiting;
    private final LogRation linesOnFailures = new LogRation(1, FAILURE_PERIOD_NS);
    /** Set when a connection could not be accepted, until {@link #resume}. */
    private boolean isPaused;
    private boolean isClosed;

    /**
     * @param listener    where clients connect.
     * @param selector    of all connections.
     * @param limits      of handshakes.
     * @param clock       for deadlines.
     * @param owner       of all connections.
     * @param handler     refuses clients.
     * @param connections takes those that begin.
     * @param greets      whether each client is greeted in the clear before anything else.
     */
    Entrance(
        final ListeningSocket listener,
        final Selector selector,
        final SessionLimits limits,
        final NanoClock clock,
        final BootstrapConnection.Owner owner,
        final BootstrapConnection.Handler handler,
        final Connections connections,
        final boolean greets)
    {
        this.listener = listener;
        this.selector = selector;
        this.limits = limits;
        this.clock = clock;
        this.owner = owner;
        this.handler = handler;
        this.connections = connections;
        this.greets = greets;
        handshakes = new Handshakes(limits);
        waiting = new WaitingRoom(Math.max(MIN_WAITING, WAITING_PER_HANDSHAKE * limits.maxHandshakes()));
    }

    /** Whether clients wait for their turn. */
    boolean isCrowded()
    {
        return !waiting.isEmpty();
    }

    /** Accepts connections, after the waiting ones have begun. */
    void accept(final long nowNs)
    {
        letIn(nowNs);
        try
        {
            SocketChannel socket = listener.accept();
            for (int i = 1; socket != null; i++)
            {
                receive(socket);
                socket = i < ACCEPTED_AT_ONCE && !waiting.isFull() ? listener.accept() : null;
            }
        }
        catch (final IOException e)
        {
            // Probably out of file descriptors: retry with the next tick, not in a tight loop.
            isPaused = true;
            listen();
            if (linesOnFailures.tryTake(clock.nanoTime()))
            {
                LOGGER.warn("connection could not be accepted, trying again each {} ms: cause={} untold={}",
                    RETRY_MS, e.getMessage(), linesOnFailures.takeWithheld());
            }
        }
    }

    /** Accepts connections again after a failure. Called every {@link #RETRY_MS}. */
    void resume()
    {
        isPaused = false;
        listen();
    }

    private void listen()
    {
        listener.listen(!waiting.isFull() && !isPaused);
    }

    /** Starts waiting connections as far as there are places. Clients that keep the server waiting lose theirs. */
    void letIn(final long nowNs)
    {
        if (waiting.isEmpty() || isClosed)
        {
            return;
        }
        for (WaitingRoom.Guest guest = nextGuest(nowNs); guest != null; guest = nextGuest(nowNs))
        {
            begin(guest.socket());
        }
        for (WaitingRoom.Guest guest = waiting.takeLate(nowNs); guest != null; guest = waiting.takeLate(nowNs))
        {
            refuse(guest.socket(), guest.address());
        }
        listen();
    }

    private WaitingRoom.Guest nextGuest(final long nowNs)
    {
        return waiting.takeNext((address) -> handshakes.hasPlace(address) || makeWay(address, nowNs));
    }

    /** Ends a handshake that keeps the server waiting, in favour of an address; whether there was one. */
    private boolean makeWay(final AddressGroup address, final long nowNs)
    {
        final BootstrapConnection stale = handshakes.stale(address, nowNs);
        if (stale != null)
        {
            handshakes.refuse(stale, handshakes.limit(address), handler);
        }
        return stale != null;
    }

    /** Extends the deadlines of all waiting connections. */
    void excuse(final long pauseNs)
    {
        waiting.excuse(pauseNs);
    }

    /** Stops accepting. Waiting connections begin, so that they can be told the reason. */
    void shut()
    {
        isClosed = true;
        listener.close();
        for (WaitingRoom.Guest guest = waiting.takeNext((any) -> true); guest != null;
            guest = waiting.takeNext((any) -> true))
        {
            begin(guest.socket());
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        listener.close();
        waiting.close();
    }

    private void receive(final SocketChannel socket)
    {
        connections.cutOldestLeaving(limits.maxHandshakes());
        try
        {
            final AddressGroup address = AddressGroup.of(socket);
            KeepAlive.set(socket);
            socket.configureBlocking(false);
            if (greets)
            {
                // Sent first, also to waiting connections, so that clients see at once that a server listens here.
                socket.write(MessageChannel.greeting());
            }
            if (handshakes.hasPlace(address))
            {
                begin(socket);
            }
            else if (waiting.isFullFor(address))
            {
                refuse(socket, address);
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

    private BootstrapConnection begin(final SocketChannel socket)
    {
        try
        {
            final long nowNs = clock.nanoTime();
            final BootstrapConnection connection = new BootstrapConnection(
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

    private void refuse(final SocketChannel socket, final AddressGroup address)
    {
        // Told from those that were there before it, of which it is one as soon as it begins.
        final Refusal limit = handshakes.limit(address);
        final BootstrapConnection connection = begin(socket);
        if (connection != null)
        {
            handshakes.refuse(connection, limit, handler);
        }
    }
}
