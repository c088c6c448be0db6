package org.onesided.iwarp;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.BooleanSupplier;
import org.onesided.testing.HangGuard;

/**
 * A peer's socket that never blocks: while it waits, the device works for its caller. Not thread-safe.
 */
final class FuzzSocket implements Closeable
{
    private static final int CAPACITY = 1 << 18;

    private final SocketChannel channel;
    private final DeviceLink link;
    private final ByteBuffer in = ByteBuffer.allocate(CAPACITY).flip();
    private boolean isOver;

    private FuzzSocket(final SocketChannel channel, final DeviceLink link) throws IOException
    {
        this.channel = channel;
        this.link = link;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        // Thousands of connections a second: none may stay behind in the kernel.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    }

    static FuzzSocket connect(final int port, final DeviceLink link) throws IOException
    {
        return new FuzzSocket(SocketChannel.open(new InetSocketAddress("127.0.0.1", port)), link);
    }

    static FuzzSocket accept(final ServerSocketChannel listener, final DeviceLink link) throws IOException
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(20);
        SocketChannel channel = listener.accept();
        while (channel == null)
        {
            check(endNs, "no connection");
            link.poll();
            Thread.onSpinWait();
            channel = listener.accept();
        }
        return new FuzzSocket(channel, link);
    }

    /** Sends all, or as much as the device takes until it ends the connection. */
    void send(final byte[] bytes)
    {
        final ByteBuffer out = ByteBuffer.wrap(bytes);
        final long endNs = System.nanoTime() + HangGuard.nanos(20);
        while (out.hasRemaining() && !isOver)
        {
            check(endNs, "the device does not read");
            try
            {
                if (channel.write(out) == 0)
                {
                    receive();
                    link.poll();
                }
            }
            catch (final IOException e)
            {
                isOver = true;
            }
        }
    }

    /** No more is to come. */
    void finish()
    {
        try
        {
            channel.shutdownOutput();
        }
        catch (final IOException e)
        {
            isOver = true;
        }
    }

    /** The frame of the start-up that the device sends; null if it ends the connection instead. */
    StartUp startUp() throws IOException
    {
        await("a frame of the start-up", () -> isOver || in.remaining() >= StartUp.HEAD_LENGTH &&
            in.remaining() >= StartUp.HEAD_LENGTH + (in.getShort(in.position() + 18) & 0xFFFF));
        if (in.remaining() < StartUp.HEAD_LENGTH)
        {
            return null;
        }
        final byte[] frame = new byte[StartUp.HEAD_LENGTH + (in.getShort(in.position() + 18) & 0xFFFF)];
        in.get(frame);
        return StartUp.read(new DataInputStream(new ByteArrayInputStream(frame)));
    }

    /** The next segment; null at the end. */
    Segment next() throws IOException
    {
        await("a frame", () -> isOver || length() <= in.remaining());
        if (length() > in.remaining())
        {
            return null;
        }
        final byte[] frame = new byte[length()];
        in.get(frame);
        return Segment.of(Fpdu.read(new DataInputStream(new ByteArrayInputStream(frame))));
    }

    /** Waits until the device has ended the connection, whatever comes before; gives the TERMINATE if there was one. */
    Terminate end() throws IOException
    {
        Terminate terminate = null;
        Segment segment = next();
        while (segment != null)
        {
            if (terminate != null)
            {
                throw new ProtocolException("something follows a TERMINATE: " + segment);
            }
            terminate = segment.opcode() == Segment.TERMINATE ? Terminate.of(segment) : null;
            segment = next();
        }
        return terminate;
    }

    private int length()
    {
        return in.remaining() < 2 ? Integer.MAX_VALUE :
            (Fpdu.LENGTH_LENGTH + (in.getShort(in.position()) & 0xFFFF) + 3 & ~3) + Fpdu.CRC_LENGTH;
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(20);
        while (!condition.getAsBoolean())
        {
            check(endNs, what + " does not come");
            receive();
            link.poll();
            Thread.yield();
        }
    }

    private void receive()
    {
        in.compact();
        try
        {
            isOver |= channel.read(in) < 0;
        }
        catch (final IOException e)
        {
            isOver = true;
        }
        in.flip();
    }

    private static void check(final long endNs, final String what)
    {
        if (System.nanoTime() - endNs > 0)
        {
            throw new AssertionError("waited in vain: " + what);
        }
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
