package org.onesided.server.session;

import static org.onesided.server.session.BootstrapConnection.State.*;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends connections, each with a word why to the client, a line in the log, and a count. A session that was open may
 * still be resumed. For the acceptor's thread.
 */
final class ConnectionCloser
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ConnectionCloser.class);
    /** On clients that do not become sessions. */
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

    /** Ends a connection, with a word why. */
    void refuse(final BootstrapConnection connection, final Refusal why, final String text)
    {
        // The message may contain text of the client, which must not write lines of the log.
        final String reason = LastMessage.line(text);
        final boolean wasOpen = connection.state() == OPEN;
        if (wasOpen)
        {
            LOGGER.warn("connection ended: peer={} code={} reason={}", connection.peer(), why, reason);
            connection.sayGoodbye(reason, clock.nanoTime());
        }
        else
        {
            if (takeLineOnStranger())
            {
                LOGGER.warn("handshake refused: peer={} code={} reason={}", connection.peer(), why, reason);
            }
            refusals.merge(why, 1L, Long::sum);
            connection.refuse(why.code(), reason, clock.nanoTime());
        }
        lives.release(connection, false);
    }

    /** Tells a client that asks which devices there are, and ends its connection: it comes back with one of them. */
    void offer(final BootstrapConnection connection, final List<String> devices)
    {
        connection.offer(devices, clock.nanoTime());
        lives.release(connection, false);
    }

    /** The TCP connection is gone; its session may be resumed, unless it never came to be. */
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

    /** The client has left, and does not come back to its session. */
    void onGoodbye(final BootstrapConnection connection)
    {
        if (connection.state() == OPEN)
        {
            LOGGER.debug("session said goodbye: session={} peer={}", sessions.of(connection).id(), connection.peer());
        }
        connection.close();
        lives.release(connection, true);
    }

    /** Takes leave of a client because the server stops. */
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

    /** How many handshakes came to nothing, by why. */
    Map<String, Long> refusals()
    {
        final Map<String, Long> byReason = new LinkedHashMap<>();
        for (final Refusal refusal : Refusal.values())
        {
            byReason.put(refusal.label(), refusals.getOrDefault(refusal, 0L));
        }
        return byReason;
    }

    /** Takes a line of those on strangers, if there is one left; before it, says how many were not written. */
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
