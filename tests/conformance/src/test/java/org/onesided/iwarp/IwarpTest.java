package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.onesided.testing.HangGuard;

/**
 * A device that listens, and peers on plain sockets.
 */
@Timeout(120)
abstract class IwarpTest
{
    static final int LENGTH = 1 << 20;
    static final int DEPTH = 4;

    DeviceEnd end;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @BeforeEach
    void open()
    {
        end = new DeviceEnd(device(), LENGTH);
    }

    @AfterEach
    void closeAll() throws Exception
    {
        while (!opened.isEmpty())
        {
            opened.pop().close();
        }
        if (end != null)
        {
            end.checkMargins();
            end.close();
        }
    }

    /** One that listens, if peers are to connect. */
    String device()
    {
        return "tcp:127.0.0.1:0";
    }

    <T extends AutoCloseable> T opened(final T closeable)
    {
        opened.push(closeable);
        return closeable;
    }

    DeviceLink link()
    {
        return link(DEPTH);
    }

    DeviceLink link(final int depth)
    {
        return opened(new DeviceLink(end, depth));
    }

    IwarpPeer initiate(final DeviceLink link) throws IOException
    {
        return opened(link.initiate());
    }

    IwarpPeer respond(final DeviceLink link) throws IOException
    {
        return opened(link.respond());
    }

    /** A READ of the whole device's region, or a part of it. */
    ReadRequest readOf(final int offset, final int length)
    {
        return new ReadRequest(0x5151, 0x10_0000_0000L, length, end.region.remoteKey(), end.address(offset));
    }

    /** READs something, and compares it. */
    void checkRead(final IwarpPeer peer, final int offset, final int length) throws IOException
    {
        final ReadRequest request = readOf(offset, length);
        peer.read(request);
        assertArrayEquals(DeviceEnd.pattern(offset, length), peer.response(request));
    }

    /** Nanoseconds at which waiting becomes hanging. */
    static long hangNs()
    {
        return System.nanoTime() + HangGuard.nanos(20);
    }

    void awaitCounter(final String prefix, final long least)
    {
        final long endNs = hangNs();
        while (end.counter(prefix) < least)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> "counter: " + prefix + " of " + end.counters());
            Thread.onSpinWait();
        }
    }
}
