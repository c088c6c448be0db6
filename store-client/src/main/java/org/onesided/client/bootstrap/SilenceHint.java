package org.onesided.client.bootstrap;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once, when a first connection takes longer than a second, what it waits for; the attempt goes on. Several
 * clients of a process that wait for the same server share one hint per period. Thread-safe.
 */
public final class SilenceHint
{
    static final long AFTER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(10);
    /** Time of each hint in this process; cleared when there are many. */
    private static final Map<String, Long> GIVEN_AT_NS = new ConcurrentHashMap<>();
    private static final int MAX_GIVEN = 1000;
    private static final Logger LOGGER = LoggerFactory.getLogger(SilenceHint.class);

    private final HostAndPort server;
    private final AtomicBoolean isGiven = new AtomicBoolean();

    /**
     * @param server that may be silent.
     */
    public SilenceHint(final HostAndPort server)
    {
        this.server = server;
    }

    /** Watches a channel over which nothing has come yet. */
    void watch(final MessageChannel channel, final long nowNs, final long deadlineNs)
    {
        if (deadlineNs - nowNs > AFTER_NS)
        {
            channel.onSilence(nowNs + AFTER_NS, () -> give(channel.isGreeted() ?
                "is a onesided server, but has not answered for a second: it is busy, or many clients connect" :
                "has said nothing for a second: see whether a onesided server listens there, and is not stopped"));
        }
    }

    /** The connection was not even accepted. */
    void notTaken()
    {
        give("has not taken the connection for a second: " +
            "see host, port and firewall, and whether the server is stopped");
    }

    private void give(final String what)
    {
        if (isGiven.compareAndSet(false, true))
        {
            log(server + " " + what);
        }
    }

    /**
     * Gives the hint for a server that has had a second, where others are asked meanwhile.
     *
     * @param server that is silent.
     * @param reason in a line.
     */
    public static void give(final HostAndPort server, final String reason)
    {
        log(server + " has not answered for a second: " + reason);
    }

    private static void log(final String hint)
    {
        if (tryClaim(hint))
        {
            LOGGER.warn("{}; trying on until the deadline", hint);
        }
    }

    /** Claims a hint that this process has not given lately. */
    static boolean tryClaim(final String hint)
    {
        if (GIVEN_AT_NS.size() >= MAX_GIVEN)
        {
            GIVEN_AT_NS.clear();
        }
        final Long nowNs = System.nanoTime();
        return GIVEN_AT_NS.merge(hint, nowNs, (last, now) -> now - last >= EVERY_NS ? now : last).equals(nowNs);
    }
}
