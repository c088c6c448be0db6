package org.onesided.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once, when a first connection takes longer than a second, what it waits for; the attempt goes on. Thread-safe.
 */
final class SilenceHint
{
    static final long AFTER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOGGER = LoggerFactory.getLogger(SilenceHint.class);

    private final HostAndPort server;
    private final AtomicBoolean isGiven = new AtomicBoolean();

    SilenceHint(final HostAndPort server)
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
                "has said nothing for a second: see whether a onesided server listens there, and not stopped"));
        }
    }

    /** Nobody has even taken the connection. */
    void notTaken()
    {
        give("has not taken the connection for a second: see host, port and firewall, and whether the server stands");
    }

    private void give(final String what)
    {
        if (isGiven.compareAndSet(false, true))
        {
            LOGGER.warn("{} {}; trying on until the deadline", server, what);
        }
    }
}
