package org.onesided.server.session;

import static org.onesided.server.session.BootstrapConnection.State.*;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends connections, each with a reason for the client, a line in the log, and a count. An open session may still be
 * resumed. For the acceptor's thread.
 */
final class ConnectionCloser
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ConnectionCloser.class);
    /** Log lines about clients that get no session. */
    private static final int LINES_PER_SECOND = 20;

    private final Sessions sessions;
    private final SessionLives lives;
    private final NanoClock clock;
    private final Map<Refusal, Long> refusals = new EnumMap<>(Refusal.class);
    private final LogRation linesOnStrangers = new LogRation(LINES_PER_SECOND, TimeUnit.SECONDS.toNanos(1));

    ConnectionCloser(final Sessions sessions, final SessionLives lives, final NanoClock clock)
    {
        this.sessions = sessions;
        this.lives = lives;
        this.clock = clock;
    }

    /** Ends a connection with a reason. */
    void refuse(final BootstrapConnection connection, final Refusal why, final String text)
    {
        // The message may contain the client's text, which must not forge lines of the log.
        final String reason = LastMessage.line(text);
        final boolean wasOpen = connection.state() == OPEN;
        if (wasOpen)
        {
            LOGGER.warn("connection ended: peer={} code={} reason={}", connection.peer(), why, reason);
            connection.sayGoodbye(reason, clock.nanoTime());
        }
        else
        {
            if (why == Refusal.NOT_LEADING)
            {
                // Clients look for a leader in this way.
                LOGGER.debug("not serving: peer={} reason={}", connection.peer(), reason);
            }
            else if (takeLineOnStranger())
            {
                LOGGER.warn("handshake refused: peer={} code={} reason={}", connection.peer(), why, reason);
            }
            refusals.merge(why, 1L, Long::sum);
            connection.refuse(why.code(), reason, clock.nanoTime());
        }
        lives.release(connection, false);
    }

    /** Tells a client which devices and leaders there are, and ends its connection. It connects again. */
    void offer(final BootstrapConnection connection, final ServedTable table)
    {
        connection.offer(table.offered(), table.cluster(), clock.nanoTime());
        lives.release(connection, false);
    }

    /** The TCP connection is lost. Its session may be resumed if it was open. */
    void onDisconnected(final BootstrapConnection connection, final String reason)
    {
        final boolean wasOpen = connection.state() == OPEN;
        if (wasOpen)
        {
            LOGGER.info("session lost its connection: session={} peer={} reason={}",
                sessions.of(connection).id(), connection.peer(), reason);
        }
        else if (connection.isGreeting() && takeLineOnStranger())
        {
            LOGGER.info("client left during the handshake: peer={} reason={}", connection.peer(), reason);
        }
        connection.close();
        lives.release(connection, false);
    }

    /** The client has left and will not resume its session. */
    void onGoodbye(final BootstrapConnection connection)
    {
        if (connection.state() == OPEN)
        {
            LOGGER.debug("session said goodbye: session={} peer={}", sessions.of(connection).id(), connection.peer());
        }
        connection.close();
        lives.release(connection, true);
    }

    /** Says goodbye to a client because the server stops. */
    void shutDown(final BootstrapConnection connection, final String reason)
    {
        if (connection.isGreeting())
        {
            connection.refuse(Refusal.SHUTTING_DOWN.code(), reason, clock.nanoTime());
        }
        else
        {
            connection.sayGoodbye(reason, clock.nanoTime());
        }
    }

    /** Refused handshakes by reason. */
    Map<String, Long> refusals()
    {
        final Map<String, Long> byReason = new LinkedHashMap<>();
        for (final Refusal refusal : Refusal.values())
        {
            byReason.put(refusal.label(), refusals.getOrDefault(refusal, 0L));
        }
        return byReason;
    }

    /** Whether another line about strangers may be logged; if so, first logs how many were withheld. */
    private boolean takeLineOnStranger()
    {
        final boolean isTaken = linesOnStrangers.tryTake(clock.nanoTime());
        final long missed = isTaken ? linesOnStrangers.takeWithheld() : 0;
        if (missed > 0)
        {
            LOGGER.warn("more handshakes failed than are logged here: untold={}", missed);
        }
        return isTaken;
    }
}
