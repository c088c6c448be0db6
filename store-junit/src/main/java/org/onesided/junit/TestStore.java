package org.onesided.junit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;

/**
 * A server in this process and a client of it. Thread-safe. Who gets it does not close it.
 */
public final class TestStore
{
    private final StoreServer server;
    private final StoreClient client;

    /** Starts both. */
    TestStore(final ServerOptions options)
    {
        server = StoreServer.start(options);
        try
        {
            client = StoreClient.builder().server(address()).build();
        }
        catch (final RuntimeException | Error e)
        {
            CloseHelper.quietClose(server);
            throw e;
        }
    }

    /**
     * @return where clients connect to, as {@code HOST:PORT}.
     */
    public String address()
    {
        final InetSocketAddress bound = server.address();
        final InetAddress host =
            bound.getAddress().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound.getAddress();
        return (host instanceof Inet6Address ? '[' + host.getHostAddress() + ']' : host.getHostAddress()) + ':' +
            bound.getPort();
    }

    /**
     * @return the server.
     */
    public StoreServer server()
    {
        return server;
    }

    /**
     * @return a client that all tests share, and that is closed behind the last one.
     */
    public StoreClient client()
    {
        return client;
    }

    /**
     * Deletes all pairs. What clients put meanwhile may stay.
     */
    public void clear()
    {
        final List<byte[]> keys = new ArrayList<>();
        try
        {
            client.scan((key, value) ->
            {
                final byte[] copy = new byte[key.capacity()];
                key.getBytes(0, copy);
                keys.add(copy);
            });
            client.deleteAll(keys);
        }
        catch (final StoreClosedException e)
        {
            throw new IllegalStateException(
                "a test has closed the client that all tests of a server share: server=" + address(), e);
        }
    }

    /** Fails where the server has failed meanwhile, so that no test passes by luck. */
    void check()
    {
        if (server.failure() != null)
        {
            throw new IllegalStateException("the server of this test has failed: " + address(), server.failure());
        }
        if (!server.isServing())
        {
            throw new IllegalStateException("this test has stopped the server that it shares: " + address());
        }
    }

    /** Stops both. */
    void close()
    {
        CloseHelper.closeAll(client, server);
    }
}
