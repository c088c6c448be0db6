package org.onesided.verbs.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * How sockets are set up and closed.
 */
final class Sockets
{
    /** Seconds of silence until the kernel asks whether the peer is still there. */
    private static final int KEEPALIVE_IDLE = 10;
    /** Seconds from one such question to the next. */
    private static final int KEEPALIVE_INTERVAL = 3;
    /** Unanswered questions after which the peer counts as gone. */
    private static final int KEEPALIVE_COUNT = 3;

    private Sockets()
    {
    }

    /**
     * Nothing waits to be sent together with more, and a peer that vanishes is noticed.
     */
    static void setUp(final SocketChannel socket) throws IOException
    {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        setIfKnown(socket, ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_IDLE);
        setIfKnown(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEPALIVE_INTERVAL);
        setIfKnown(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_COUNT);
    }

    /**
     * @return address and port of the other side, to tell people.
     */
    static String peer(final SocketChannel socket)
    {
        try
        {
            return socket.getRemoteAddress() instanceof InetSocketAddress address ?
                TcpAddress.argument(address.getAddress().getHostAddress(), address.getPort()) : "unknown";
        }
        catch (final IOException ex)
        {
            return "unknown";
        }
    }

    /**
     * Closes what is not used any more.
     */
    static void close(final Channel channel)
    {
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            // The socket is closed all the same, and nothing was left to write.
            return;
        }
    }

    /**
     * Closes what is not used any more, and has the kernel throw away what it has for the peer.
     */
    static void reset(final SocketChannel socket)
    {
        try
        {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        catch (final IOException ex)
        {
            // The connection is lost already.
            close(socket);
            return;
        }
        close(socket);
    }

    static void closeSelector(final Selector selector)
    {
        try
        {
            selector.close();
        }
        catch (final IOException ex)
        {
            // The socket is closed all the same.
            return;
        }
    }

    /**
     * @return what went wrong, in words.
     */
    static String text(final Exception ex)
    {
        return ex.getMessage() == null ? ex.getClass().getSimpleName() : ex.getMessage();
    }

    private static void setIfKnown(
        final SocketChannel socket, final SocketOption<Integer> option, final int value) throws IOException
    {
        if (socket.supportedOptions().contains(option))
        {
            socket.setOption(option, value);
        }
    }
}
