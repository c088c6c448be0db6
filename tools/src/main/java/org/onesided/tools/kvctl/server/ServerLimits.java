package org.onesided.tools.kvctl.server;

import java.time.Duration;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.server.ServerOptions;
import org.onesided.tools.kvctl.command.MemorySize;
import org.onesided.tools.kvctl.command.TimeSpan;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Readers of the server's limits, each with its range.
 */
final class ServerLimits
{
    private ServerLimits()
    {
    }

    private static int whole(final String text, final int least, final int most)
    {
        if (text.matches("[0-9]{1,9}"))
        {
            final int value = Integer.parseInt(text);
            if (value >= least && value <= most)
            {
                return value;
            }
        }
        throw new TypeConversionException("must be a whole number from " + least + " to " + most + ": '" + text + "'");
    }

    /** How many shards. */
    static final class Shards implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
        {
            return whole(text, 1, SuperblockDescriptor.MAX_SHARDS);
        }
    }

    /** How many sessions, or handshakes, at a time. */
    static final class Sessions implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
        {
            return whole(text, 1, ServerOptions.MAX_SESSIONS);
        }
    }

    /** How many requests at a time. */
    static final class Credits implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
        {
            return whole(text, 1, ServerOptions.MAX_CREDITS);
        }
    }

    /** Length of a message. */
    static final class MessageSize implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
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
    }

    /** After what silence a session ends. */
    static final class Lease implements ITypeConverter<Duration>
    {
        @Override
        public Duration convert(final String text)
        {
            final Duration lease = new TimeSpan().convert(text);
            if (lease.toNanos() < ServerOptions.MIN_LEASE_NS)
            {
                throw new TypeConversionException("the time is out of range, 100ms to 1440m: '" + text + "'");
            }
            return lease;
        }
    }
}
