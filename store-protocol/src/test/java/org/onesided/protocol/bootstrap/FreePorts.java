package org.onesided.protocol.bootstrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that must know theirs before they start, or come back to it. Ports that the system chooses will not
 * do: once such a one is free, a connection or a server of another test may get it. Nor do ports that are free when
 * they are given: a server may begin to listen much later, and tests run in several processes at a time. So a process
 * has blocks of ports for itself, until it ends.
 */
public final class FreePorts
{
    /** Below those that systems choose from: 32768 and up on Linux, 49152 and up elsewhere. */
    private static final int END = 32_000;
    private static final int BEGIN = 20_000;
    /** Ports of a block. The process that listens on the first one may give the others. */
    private static final int BLOCK = 100;
    private static final int BLOCKS = (END - BEGIN) / BLOCK;

    /** One for each block of this process, open until it ends. */
    private static final List<ServerSocket> CLAIMS = new ArrayList<>();
    /** The next port to give, and the end of its block. No port is given twice by this process. */
    private static int next;
    private static int end;

    private FreePorts()
    {
    }

    /**
     * @return a TCP port that nobody listens on, at any address, and that no other process is given.
     */
    public static synchronized int take()
    {
        while (true)
        {
            if (next == end)
            {
                claim();
            }
            final int port = next++;
            if (isFree(port))
            {
                return port;
            }
        }
    }

    /**
     * @param count of ports.
     * @return so many addresses of loopback, each with a port that nobody listens on.
     */
    public static List<String> addresses(final int count)
    {
        final List<String> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            addresses.add("127.0.0.1:" + take());
        }
        return addresses;
    }

    /** The port by which a process claims the block that a port belongs to. */
    static int claimOf(final int port)
    {
        return port - (port - BEGIN) % BLOCK;
    }

    private static void claim()
    {
        final int first = ThreadLocalRandom.current().nextInt(BLOCKS);
        for (int i = 0; i < BLOCKS; i++)
        {
            final int begin = BEGIN + (first + i) % BLOCKS * BLOCK;
            final ServerSocket claim = tryListen(begin);
            if (claim != null)
            {
                CLAIMS.add(claim);
                next = begin + 1;
                end = begin + BLOCK;
                return;
            }
        }
        throw new IllegalStateException("no ports are free: begin=" + BEGIN + " end=" + END);
    }

    private static boolean isFree(final int port)
    {
        try (ServerSocket socket = tryListen(port))
        {
            return socket != null;
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Null if somebody listens there. */
    private static ServerSocket tryListen(final int port)
    {
        try
        {
            final ServerSocket socket = new ServerSocket();
            try
            {
                // At all addresses: some tests use others of 127.0.0.0/8.
                socket.bind(new InetSocketAddress((InetAddress)null, port));
                return socket;
            }
            catch (final BindException e)
            {
                socket.close();
                return null;
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
