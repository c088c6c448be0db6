package org.onesided.server.raft.peers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onesided.protocol.bootstrap.OneLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs who is not taken for a member, and why: members try again many times a minute, and anybody may connect. Of each
 * host and reason it logs a line a minute, and no more than some lines a minute altogether. Thread-safe.
 */
final class RefusedPeers
{
    /** Lines a minute. */
    static final int MOST_LINES = 20;

    private static final Logger LOGGER = LoggerFactory.getLogger(RefusedPeers.class);
    private static final long PERIOD_NS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier clock;
    /** When it was logged, by what was; the oldest first. */
    private final Map<String, Long> logged = new LinkedHashMap<>();
    private long omitted;

    /**
     * @param clock in nanoseconds.
     */
    RefusedPeers(final LongSupplier clock)
    {
        this.clock = clock;
    }

    /**
     * A connection that came.
     *
     * @param peer   its address.
     * @param host   of the peer, whose ports change.
     * @param reason why it is no member's.
     */
    void accepted(final String peer, final String host, final String reason)
    {
        final String line = OneLine.ofPeer(reason);
        final long before = admit(host + " " + line);
        if (before >= 0)
        {
            LOGGER.warn("connection at the port for members is no member's: peer={} omitted={} reason={}", peer,
                before, line);
        }
    }

    /**
     * A connection that came was closed to make room for another.
     *
     * @param most connections that may be there without being known as a member's.
     */
    void gaveWay(final int most)
    {
        final long before = admit("");
        if (before >= 0)
        {
            LOGGER.warn("many connect to the port for members, and the oldest that is no member's gives way: " +
                "omitted={} most={}", before, most);
        }
    }

    /**
     * A connection to a member.
     *
     * @param peer   its address.
     * @param reason why it is not taken for that member.
     */
    void connected(final String peer, final String reason)
    {
        final String line = OneLine.ofPeer(reason);
        final long before = admit(peer + " " + line);
        if (before >= 0)
        {
            LOGGER.warn("another member is not trusted: peer={} omitted={} reason={}", peer, before, line);
        }
    }

    /** How many lines were omitted since the last one, -1 to omit this one, too. */
    private synchronized long admit(final String what)
    {
        final long nowNs = clock.getAsLong();
        logged.values().removeIf((atNs) -> nowNs - atNs >= PERIOD_NS);
        if (logged.containsKey(what) || logged.size() >= MOST_LINES)
        {
            omitted++;
            return -1;
        }
        logged.put(what, nowNs);
        final long before = omitted;
        omitted = 0;
        return before;
    }
}
