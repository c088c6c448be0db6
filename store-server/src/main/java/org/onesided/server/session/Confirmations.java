package org.onesided.server.session;

import static org.onesided.server.session.BootstrapConnection.State.OPEN;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.onesided.protocol.bootstrap.codec.ConfirmDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.RetireEncoder;
import org.onesided.server.memory.RetiredMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which sessions have confirmed that they do not READ what is retired. A session counts from when the client is told
 * how to connect until all of its queue pairs are destroyed. It READs the superblock after the former, so it knows at
 * once what had been retired before. A session that does not confirm for a whole lease loses its queue pairs, so it
 * holds memory back no longer than that. For the acceptor's thread.
 */
final class Confirmations
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Confirmations.class);

    private final Sessions sessions;
    private final SessionLives lives;
    private final NanoClock clock;
    private final long leaseNs;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private RetiredMemory retired = RetiredMemory.NONE;
    /** To be run when all have confirmed; null if that was done. */
    private Runnable whenConfirmed;
    private long cutOff;

    Confirmations(
        final Sessions sessions, final SessionLives lives, final SessionLimits limits, final NanoClock clock)
    {
        this.sessions = sessions;
        this.lives = lives;
        this.clock = clock;
        leaseNs = TimeUnit.MILLISECONDS.toNanos(limits.leaseMs());
    }

    /** Announces what is retired to all sessions; all that was before has been confirmed. */
    void retire(final RetiredMemory next, final Runnable then)
    {
        retired = next;
        whenConfirmed = then;
        for (final Session session : sessions.toList())
        {
            if (session.owner() != null && session.owner().state() == OPEN)
            {
                announce(session);
            }
        }
        check(clock.nanoTime());
    }

    /** Epoch of what a session knows that READs the superblock from now on. */
    long begin(final Session session)
    {
        session.confirm(retired.epoch());
        return retired.epoch();
    }

    /** The session is open: announces what was retired since {@link #begin}. */
    void onOpen(final Session session)
    {
        if (session.confirmed() < retired.epoch())
        {
            announce(session);
        }
    }

    /** Takes a Confirm of an open connection. */
    void onConfirm(final BootstrapConnection connection, final Session session) throws IOException
    {
        final long epoch = new ConfirmDecoder()
            .wrapAndApplyHeader(connection.message(), 0, new MessageHeaderDecoder()).epoch();
        if (epoch > retired.epoch() || epoch <= session.confirmed())
        {
            throw new ProtocolException("confirmation of nothing that was announced: epoch=" + epoch +
                " announced=" + retired.epoch() + " confirmed=" + session.confirmed());
        }
        session.confirm(epoch);
    }

    /** Looks whether all have confirmed, and cuts off those that take too long. */
    void check(final long nowNs)
    {
        if (whenConfirmed == null)
        {
            return;
        }
        boolean isConfirmed = true;
        for (final Session session : sessions.toList())
        {
            if (session.attachment() != null && session.confirmed() < retired.epoch())
            {
                isConfirmed = false;
                if (isLate(session, nowNs))
                {
                    cutOff(session, nowNs);
                }
            }
        }
        if (isConfirmed)
        {
            final Runnable then = whenConfirmed;
            whenConfirmed = null;
            then.run();
        }
    }

    private boolean isLate(final Session session, final long nowNs)
    {
        return session.owner() != null && session.owner().state() == OPEN && nowNs - session.announcedNs() > leaseNs;
    }

    private void cutOff(final Session session, final long nowNs)
    {
        cutOff++;
        LOGGER.info("session loses its queue pairs, it did not confirm a release of memory: session={} address={} " +
            "identity={} lease-ms={}", session.id(), session.address(), session.identity(),
            TimeUnit.NANOSECONDS.toMillis(leaseNs));
        session.owner().sayGoodbye("session did not confirm a release of memory within its lease", nowNs);
        sessions.part(session);
        lives.end(session, false);
    }

    /** Extends the time for confirmations by one in which this process was stopped. */
    void excuse(final long pauseNs)
    {
        for (final Session session : sessions.toList())
        {
            session.announced(session.announcedNs() + pauseNs);
        }
    }

    /** Number of sessions that were cut off. */
    long cutOff()
    {
        return cutOff;
    }

    private void announce(final Session session)
    {
        session.announced(clock.nanoTime());
        try
        {
            final RetireEncoder retire = new RetireEncoder();
            retire.wrapAndApplyHeader(session.owner().outgoing(), 0, header)
                .epoch(retired.epoch())
                .removal(retired.removal());
            final RetireEncoder.ShardsEncoder shards = retire.shardsCount(retired.splitPoints().size());
            retired.splitPoints().forEach((point) -> shards.next().splitPoint(point));
            session.owner().send(retire.limit());
        }
        catch (final IOException e)
        {
            // The connection is about to end, and its queue pairs with it.
            LOGGER.debug("retired memory could not be announced: session={} cause={}", session.id(), e.getMessage());
        }
    }
}
