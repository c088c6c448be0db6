package org.onesided.tools.kvctl.server;

import java.time.Duration;
import org.onesided.server.ServerOptions;
import org.onesided.tools.kvctl.command.MemorySize;
import org.onesided.tools.kvctl.command.TimeSpan;
import org.onesided.verbs.HugePages;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Readers of the server's options, each with its range.
 */
final class Readers
{
    private Readers()
    {
    }

    /** Reads whole numbers from 1. */
    static ITypeConverter<Integer> whole(final int most)
    {
        return text ->
        {
            final int value = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
            if (value < 1 || value > most)
            {
                throw new TypeConversionException("must be a whole number from 1 to " + most + ": '" + text + "'");
            }
            return value;
        };
    }

    static int messageLength(final String text)
    {
        final long length = new MemorySize().convert(text);
        if (length < ServerOptions.MIN_MESSAGE_LENGTH || length > ServerOptions.MAX_MESSAGE_LENGTH ||
            length % ServerOptions.MESSAGE_ALIGNMENT != 0)
        {
            throw new TypeConversionException("must be a multiple of " + ServerOptions.MESSAGE_ALIGNMENT +
                " from " + ServerOptions.MIN_MESSAGE_LENGTH + " to " + ServerOptions.MAX_MESSAGE_LENGTH +
                " bytes: '" + text + "'");
        }
        return (int)length;
    }

    static Duration lease(final String text)
    {
        final Duration lease = new TimeSpan().convert(text);
        if (lease.toNanos() < ServerOptions.MIN_LEASE_NS)
        {
            throw new TypeConversionException("the time is out of range, 100ms to 1440m: '" + text + "'");
        }
        return lease;
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
