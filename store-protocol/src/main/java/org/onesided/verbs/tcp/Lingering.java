package org.onesided.verbs.tcp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * A socket whose connection this side has ended: incoming bytes are discarded until the peer ends it, too. If it were
 * closed at once, late bytes would make the kernel drop sent ones, for example a TERMINATE.
 */
final class Lingering extends Timed
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** Maximum number of reads in a row from a peer that keeps sending. */
    private static final int READS = 16;
    /** With so many sockets without a queue pair, none lingers, so that a flood does not exhaust open files. */
    private static final int MAX_TIMED = 2048;

    private final Progress progress;
    private final SocketChannel socket;
    private boolean over;

    private Lingering(final Progress progress, final SocketChannel socket)
    {
        super(TIMEOUT_NS);
        this.progress = progress;
        this.socket = socket;
    }

    static void begin(final Progress progress, final SocketChannel socket, final SelectionKey key)
    {
        if (progress.timedCount() >= MAX_TIMED)
        {
            Sockets.close(socket);
            return;
        }
        final Lingering lingering = new Lingering(progress, socket);
        try
        {
            socket.shutdownOutput();
            key.attach(lingering);
            key.interestOps(SelectionKey.OP_READ);
            progress.add(lingering);
        }
        catch (final IOException | RuntimeException ex)
        {
            // The connection is lost already.
            Sockets.close(socket);
        }
    }

    @Override
    public void ready()
    {
        try
        {
            for (int i = 0; i < READS; i++)
            {
                final int count = socket.read(progress.drain());
                if (count < 0)
                {
                    expire();
                    return;
                }
                if (count == 0)
                {
                    return;
                }
            }
        }
        catch (final IOException ex)
        {
            expire();
        }
    }

    @Override
    void expire()
    {
        if (!over)
        {
            over = true;
            progress.remove(this);
            Sockets.close(socket);
        }
    }
}
