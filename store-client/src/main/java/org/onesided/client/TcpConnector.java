package org.onesided.client;

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
     * Connects to the first of the host's addresses that accepts.
     *
     * @param deadlineNs a time of {@link System#nanoTime()}.
     * @return a non-blocking, connected socket.
     */
    static SocketChannel connect(final HostAndPort server, final long deadlineNs) throws IOException
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
        IOException failure = null;
        for (final InetAddress address : addresses)
        {
            try
            {
                return connect(new InetSocketAddress(address, server.port()), deadlineNs);
            }
            catch (final ConnectException | SocketTimeoutException e)
            {
                failure = failure == null ? e : failure;
            }
        }
        throw failure == null ? new ConnectException("host has no address: host=" + server.host()) : failure;
    }

    private static SocketChannel connect(final InetSocketAddress address, final long deadlineNs) throws IOException
    {
        final SocketChannel socket = SocketChannel.open();
        try
        {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            socket.configureBlocking(false);
            if (!socket.connect(address))
            {
                finish(socket, deadlineNs);
            }
            return socket;
        }
        catch (final IOException | RuntimeException e)
        {
            socket.close();
            throw e;
        }
    }

    private static void finish(final SocketChannel socket, final long deadlineNs) throws IOException
    {
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
                selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(remainingNs)));
            }
        }
    }
}
