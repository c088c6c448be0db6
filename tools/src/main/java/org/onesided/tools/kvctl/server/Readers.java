package org.onesided.tools.kvctl.server;

import java.nio.file.Path;
import java.time.Duration;
import org.onesided.protocol.bootstrap.ZoneName;
import org.onesided.server.ServerOptions;
import org.onesided.server.ServerSetting;
import org.onesided.server.data.DataOptions;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.log.SyncMode;
import org.onesided.tools.settings.LifeTime;
import org.onesided.tools.settings.MemorySize;
import org.onesided.tools.settings.TimeSpan;
import org.onesided.verbs.HugePages;
import picocli.CommandLine.TypeConversionException;

/**
 * Readers of the server's options, each with its range.
 */
final class Readers
{
    private Readers()
    {
    }

    static int messageLength(final String text)
    {
        final long length = new MemorySize().convert(text);
        if (length < ServerSetting.MESSAGE_LENGTH.min() || length > ServerSetting.MESSAGE_LENGTH.max() ||
            length % ServerOptions.MESSAGE_ALIGNMENT != 0)
        {
            throw new TypeConversionException("must be a multiple of " + ServerOptions.MESSAGE_ALIGNMENT +
                " from " + ServerSetting.MESSAGE_LENGTH.min() + " to " + ServerSetting.MESSAGE_LENGTH.max() +
                " bytes: '" + text + "'");
        }
        return (int)length;
    }

    static Duration lease(final String text)
    {
        final Duration lease = new TimeSpan().convert(text);
        if (lease.toNanos() < ServerSetting.LEASE.min())
        {
            throw new TypeConversionException("the time is out of range, 100ms to 1440m: '" + text + "'");
        }
        return lease;
    }

    /** Nanoseconds, 0 for {@code never}. */
    static long releaseTime(final String text)
    {
        try
        {
            return "never".equals(text) ? 0 : new TimeSpan().convert(text).toNanos();
        }
        catch (final TypeConversionException e)
        {
            throw new TypeConversionException(e.getMessage() + ", or never");
        }
    }

    static Eviction eviction(final String text)
    {
        try
        {
            return Eviction.of(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new TypeConversionException("must be " + Eviction.labels(" or ") + ": '" + text + "'");
        }
    }

    /** Nanoseconds, 0 for {@code never}. */
    static long defaultTtl(final String text)
    {
        final Duration ttl = LifeTime.orNever(text);
        return ttl == null ? 0 : ttl.toNanos();
    }

    static String zone(final String text)
    {
        if (!ZoneName.isValid(text))
        {
            throw new TypeConversionException("must be " + ZoneName.RULE + ": '" + text + "'");
        }
        return text;
    }

    static Path directory(final String text)
    {
        if (text.isBlank())
        {
            throw new TypeConversionException("must name a directory: '" + text + "'");
        }
        return Path.of(text);
    }

    static SyncMode sync(final String text)
    {
        try
        {
            return DataOptions.sync(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new TypeConversionException("must be always or interval: '" + text + "'");
        }
    }

    static long snapshotLog(final String text)
    {
        final long bytes = new MemorySize().convert(text);
        if (bytes < DataOptions.MIN_SNAPSHOT_LOG)
        {
            throw new TypeConversionException("must be at least " + MemorySize.text(DataOptions.MIN_SNAPSHOT_LOG) +
                ": '" + text + "'");
        }
        return bytes;
    }

    static HugePages hugePages(final String text)
    {
        try
        {
            return HugePages.of(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new TypeConversionException("must be auto, on or off: '" + text + "'");
        }
    }
}
