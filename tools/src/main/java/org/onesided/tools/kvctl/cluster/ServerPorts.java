package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.CloseHelper;

/**
 * Ports for servers that begin to listen later, and come back to theirs after they were killed. None of those that a
 * system gives to whoever asks for any port, as it would give them to others meanwhile.
 */
public final class ServerPorts
{
    /** Systems give ports from 32768 on, or 49152. */
    static final int BEGIN = 10_000;
    static final int END = 20_000;

    private ServerPorts()
    {
    }

    /**
     * Chooses ports of loopback on which nobody listens.
     *
     * @param count of ports.
     * @return the ports, each another one. Some program may take one meanwhile; the server then says so.
     * @throws IOException if there are not so many, or the system opens no socket.
     */
    public static List<Integer> choose(final int count) throws IOException
    {
        return choose(ThreadLocalRandom.current().nextInt(BEGIN, END), count);
    }

    /** As {@link #choose(int)}, from a port on. */
    static List<Integer> choose(final int first, final int count) throws IOException
    {
        final List<Integer> ports = new ArrayList<>();
        final List<ServerSocket> sockets = new ArrayList<>();
        try
        {
            for (int i = 0; i < END - BEGIN && ports.size() < count; i++)
            {
                final int port = BEGIN + (first - BEGIN + i) % (END - BEGIN);
                final ServerSocket socket = new ServerSocket();
                sockets.add(socket);
                if (tryListen(socket, port))
                {
                    ports.add(port);
                }
            }
        }
        finally
        {
            CloseHelper.closeAll(sockets);
        }
        if (ports.size() < count)
        {
            throw new IOException("no ports are free: begin=" + BEGIN + " end=" + END);
        }
        return ports;
    }

    /** Whether nobody else listens there. */
    private static boolean tryListen(final ServerSocket socket, final int port) throws IOException
    {
        try
        {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
            return true;
        }
        catch (final BindException e)
        {
            return false;
        }
    }
}
