package org.onesided.linearizability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/**
 * Writes what one session does into a file.
 *
 * <pre>
 *   0            4            5            6            8
 *  +------------+------------+------------+------------+
 *  | key        | kind       | fate       | session    |
 *  +------------+------------+------------+------------+
 *  | value                                             |
 *  +---------------------------------------------------+
 *  | version                                           |
 *  +---------------------------------------------------+
 *  | beginning in ns                                   |
 *  +---------------------------------------------------+
 *  | end in ns                                         |
 *  +---------------------------------------------------+
 *  | expected value                                    |
 *  +---------------------------------------------------+
 *  | time to live in ns                                |
 *  +---------------------------------------------------+
 * </pre>
 *
 * <p>Times are those of {@link System#nanoTime}, which is one clock for all processes of a host (CLOCK_MONOTONIC); a
 * run checks that.
 */
final class Recorder implements AutoCloseable
{
    static final int LENGTH = 7 * Long.BYTES;

    private static final int BUFFER_LENGTH = 4096 * LENGTH;
    private static final Kind[] KINDS = Kind.values();
    private static final Fate[] FATES = Fate.values();

    private final FileChannel file;
    private final int session;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    private long count;

    Recorder(final Path path, final int session) throws IOException
    {
        this.session = session;
        file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** Operations recorded. */
    long count()
    {
        return count;
    }

    void add(
        final int key,
        final Kind kind,
        final Fate fate,
        final long value,
        final long version,
        final long invokeNs,
        final long returnNs)
    {
        add(key, kind, fate, value, version, invokeNs, returnNs, Operation.ANY, Operation.FOR_EVER);
    }

    void add(
        final int key,
        final Kind kind,
        final Fate fate,
        final long value,
        final long version,
        final long invokeNs,
        final long returnNs,
        final long expected,
        final long ttlNs)
    {
        if (!buffer.hasRemaining())
        {
            flush();
        }
        buffer.putInt(key).put((byte)kind.ordinal()).put((byte)fate.ordinal()).putShort((short)session)
            .putLong(value).putLong(version).putLong(invokeNs).putLong(returnNs).putLong(expected)
            .putLong(ttlNs);
        count++;
    }

    /** Brings all of it into the file. */
    void flush()
    {
        buffer.flip();
        try
        {
            while (buffer.hasRemaining())
            {
                file.write(buffer);
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        buffer.clear();
    }

    @Override
    public void close() throws IOException
    {
        flush();
        file.close();
    }

    static void read(final Path path, final Consumer<Operation> consumer) throws IOException
    {
        try (FileChannel channel = FileChannel.open(path))
        {
            if (channel.size() % LENGTH != 0)
            {
                throw new IOException("history is cut short: file=" + path + " length=" + channel.size());
            }
            final ByteBuffer all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            while (all.hasRemaining())
            {
                consumer.accept(new Operation(
                    all.getInt(), KINDS[all.get()], FATES[all.get()], all.getShort(),
                    all.getLong(), all.getLong(), all.getLong(), all.getLong(), all.getLong(), all.getLong()));
            }
        }
    }
}
