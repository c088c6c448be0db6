package org.onesided.tools.kvctl.server;

import java.time.Duration;
import org.onesided.server.eviction.Eviction;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.settings.LifeTime;
import org.onesided.tools.text.Amounts;

/**
 * The line that {@code kvctl server} prints when clients can connect: {@code ready: 127.0.0.1:19875 device=shm
 * memory=256 MiB huge-pages=no shards=1}, followed by {@code evict=density} if records leave full memory, {@code
 * default-ttl=30d} if keys have a time by default, and {@code metrics=127.0.0.1:9875} if it serves metrics.
 */
final class ServerReady
{
    static final String PREFIX = "ready: ";
    /** Of the line that a server prints when it waits to be formed. */
    static final String BLANK_PREFIX = "blank: ";

    private ServerReady()
    {
    }

    static String line(
        final ListenAddress address,
        final String device,
        final long memory,
        final boolean hugePages,
        final int shards,
        final Eviction eviction,
        final long defaultTtlMs,
        final ListenAddress metrics)
    {
        return PREFIX + address + " device=" + device + " memory=" + Amounts.size(memory) + " huge-pages=" +
            Text.yesOrNo(hugePages) + " shards=" + shards +
            (eviction == Eviction.NONE ? "" : " evict=" + eviction.label()) +
            (defaultTtlMs == 0 ? "" : " default-ttl=" + LifeTime.text(Duration.ofMillis(defaultTtlMs))) +
            (metrics == null ? "" : " metrics=" + metrics);
    }

    /** {@code blank: 127.0.0.1:7001 peer-listen=127.0.0.1:7101}. */
    static String blankLine(final ListenAddress address, final String peerListen)
    {
        return BLANK_PREFIX + address + " peer-listen=" + peerListen;
    }

    static String address(final String line, final String prefix)
    {
        return line.substring(prefix.length(), line.indexOf(' ', prefix.length()));
    }
}
