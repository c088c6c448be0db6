package org.onesided.server.accept;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * Makes the kernel detect, within about 35 seconds, that a connection's peer has gone.
 */
final class KeepAlive
{
    private static final int IDLE_S = 15;
    private static final int INTERVAL_S = 5;
    private static final int COUNT = 4;

    private KeepAlive()
    {
    }

    /** Sets the socket options of an accepted connection. */
    static void set(final SocketChannel socket) throws IOException
    {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        setIfThere(socket, ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_S);
        setIfThere(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_S);
        setIfThere(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, COUNT);
    }

    private static void setIfThere(final SocketChannel socket, final SocketOption<Integer> option, final int value)
        throws IOException
    {
        if (socket.supportedOptions().contains(option))
        {
            socket.setOption(option, value);
        }
    }
}
