package org.onesided.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between client and server on the bootstrap's connections, and cuts them.
 */
public final class CuttingProxy implements AutoCloseable
{
    private final ServerSocket listener;
    private final int serverPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * Listens on a free port of the loopback interface.
     *
     * @param serverPort of the server, on the loopback interface, too.
     * @throws IOException if it cannot listen.
     */
    public CuttingProxy(final int serverPort) throws IOException
    {
        this.serverPort = serverPort;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /**
     * @return host and port for clients.
     */
    public String address()
    {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /**
     * Cuts all connections there are.
     *
     * @return how many there were.
     */
    public int cut()
    {
        int ends = 0;
        for (final Socket socket : sockets)
        {
            close(socket);
            ends++;
        }
        return (ends + 1) / 2;
    }

    private void accept()
    {
        while (!listener.isClosed())
        {
            try
            {
                final Socket client = listener.accept();
                final Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                sockets.add(client);
                sockets.add(server);
                start(() -> pump(client, server));
                start(() -> pump(server, client));
            }
            catch (final IOException e)
            {
                // Closed, or the server does not listen: the client sees its connection end.
                cut();
            }
        }
    }

    private void pump(final Socket from, final Socket to)
    {
        try (from; to; InputStream input = from.getInputStream(); OutputStream output = to.getOutputStream())
        {
            input.transferTo(output);
        }
        catch (final IOException e)
        {
            // Cut.
        }
        sockets.remove(from);
        sockets.remove(to);
    }

    private synchronized void start(final Runnable task)
    {
        final Thread thread = new Thread(task, "cutting-proxy");
        threads.add(thread);
        thread.start();
    }

    private static void close(final AutoCloseable resource)
    {
        try
        {
            resource.close();
        }
        catch (final Exception e)
        {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close()
    {
        close(listener);
        cut();
        try
        {
            for (final Thread thread : List.copyOf(threads))
            {
                thread.join();
            }
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }
}
