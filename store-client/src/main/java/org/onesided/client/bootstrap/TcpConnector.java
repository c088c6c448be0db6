package org.onesided.client.bootstrap;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Makes TCP connections within a deadline.
 */
final class TcpConnector
{
    private TcpConnector()
    {
    }

    /**
     * Connects to the first of the host's addresses that accepts. Looking them up is the system's affair, and takes
     * as long as it takes.
     *
     * @param deadlineNs a time of {@link System#nanoTime()}.
     * @param whenSlow   called, perhaps again and again, once an address has not answered for a second.
     * @return a non-blocking, connected socket.
     */
    static SocketChannel connect(final HostAndPort server, final long deadlineNs, final Runnable whenSlow)
        throws IOException
    {
        final InetAddress[] addresses;
        try
        {
            addresses = InetAddress.getAllByName(server.host());
        }
        catch (final UnknownHostException e)
        {
            throw new UnknownHostException("no such host: host=" + server.host());
        }
        return connect(addresses, server.port(), deadlineNs, whenSlow);
    }

    /** Tries the addresses in order. Each gets its share of the remaining time. */
    static SocketChannel connect(
        final InetAddress[] addresses, final int port, final long deadlineNs, final Runnable whenSlow)
        throws IOException
    {
        IOException failure = null;
        for (int i = 0; i < addresses.length; i++)
        {
            final long nowNs = System.nanoTime();
            try
            {
                return connect(
                    new InetSocketAddress(addresses[i], port),
                    nowNs + (deadlineNs - nowNs) / (addresses.length - i),
                    whenSlow);
            }
            catch (final IOException e)
            {
                if (Thread.currentThread().isInterrupted())
                {
                    throw e;
                }
                failure = failure == null ? e : failure;
            }
        }
        throw failure == null ? new ConnectException("host has no address") : failure;
    }

    private static SocketChannel connect(
        final InetSocketAddress address, final long deadlineNs, final Runnable whenSlow) throws IOException
    {
        final SocketChannel socket = SocketChannel.open();
        try
        {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            socket.configureBlocking(false);
            if (!socket.connect(address))
            {
                finish(socket, deadlineNs, whenSlow);
            }
            checkPeer(socket);
            return socket;
        }
        catch (final IOException | RuntimeException e)
        {
            socket.close();
            throw e;
        }
    }

    /**
     * Refuses a socket that is connected to itself: while nothing listens, the system may give it that very port of
     * this host, and it would keep a server that starts again from listening there.
     */
    static void checkPeer(final SocketChannel socket) throws IOException
    {
        if (socket.getLocalAddress().equals(socket.getRemoteAddress()))
        {
            throw new ConnectException("Connection refused");
        }
    }

    private static void finish(final SocketChannel socket, final long deadlineNs, final Runnable whenSlow)
        throws IOException
    {
        final long slowNs = System.nanoTime() + SilenceHint.AFTER_NS;
        try (Selector selector = Selector.open())
        {
            socket.register(selector, SelectionKey.OP_CONNECT);
            while (!socket.finishConnect())
            {
                final long remainingNs = deadlineNs - System.nanoTime();
                if (remainingNs <= 0)
                {
                    throw new SocketTimeoutException("connection was not accepted in time");
                }
                if (Thread.currentThread().isInterrupted())
                {
                    throw new InterruptedIOException("interrupted");
                }
                final long toSlowNs = slowNs - System.nanoTime();
                if (toSlowNs <= 0)
                {
                    whenSlow.run();
                }
                selector.select(Math.max(
                    1, TimeUnit.NANOSECONDS.toMillis(toSlowNs > 0 ? Math.min(toSlowNs, remainingNs) : remainingNs)));
            }
        }
    }
}
