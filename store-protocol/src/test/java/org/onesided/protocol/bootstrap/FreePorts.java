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
 * do: once such a one is free, a connection or a server of another test may get it.
 */
public final class FreePorts
{
    /** Below those that systems choose from: 32768 and up on Linux, 49152 and up elsewhere. */
    private static final int END = 32_000;
    private static final int BEGIN = 20_000;

    /** Somewhere, since other tests choose at the same time; no port is given twice by this process. */
    private static int next = ThreadLocalRandom.current().nextInt(BEGIN, END);

    private FreePorts()
    {
    }

    /**
     * @return a TCP port that nobody listens on, at any address.
     */
    public static synchronized int take()
    {
        for (int tries = BEGIN; tries < END; tries++)
        {
            next = next + 1 == END ? BEGIN : next + 1;
            if (isFree(next))
            {
                return next;
            }
        }
        throw new IllegalStateException("no port is free: begin=" + BEGIN + " end=" + END);
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

    private static boolean isFree(final int port)
    {
        try (ServerSocket socket = new ServerSocket())
        {
            // At all addresses: some tests use others of 127.0.0.0/8.
            socket.bind(new InetSocketAddress((InetAddress)null, port));
            return true;
        }
        catch (final BindException e)
        {
            return false;
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
