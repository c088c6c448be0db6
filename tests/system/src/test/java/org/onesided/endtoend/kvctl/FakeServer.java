package org.onesided.endtoend.kvctl;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Listens like a server, but speaks something else.
 */
final class FakeServer implements AutoCloseable
{
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final byte[] answer;
    private final boolean isClosing;
    private final AtomicInteger connections = new AtomicInteger();
    private final Thread thread = new Thread(this::serve, "fake-server");

    /**
     * @param answer    sent to all who connect, once they have said something.
     * @param isClosing whether to close the connection behind the answer.
     */
    FakeServer(final byte[] answer, final boolean isClosing) throws IOException
    {
        this.answer = answer.clone();
        this.isClosing = isClosing;
        thread.start();
    }

    String address()
    {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    /** How many have connected, and were let in. */
    int connections()
    {
        return connections.get();
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
        try
        {
            thread.join();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void serve()
    {
        while (!socket.isClosed())
        {
            try (Socket connection = socket.accept())
            {
                connections.incrementAndGet();
                connection.setSoTimeout(1_000);
                connection.getInputStream().read();
                connection.getOutputStream().write(answer);
                if (!isClosing)
                {
                    // Until the peer gives up, or the test ends.
                    connection.setSoTimeout(0);
                    connection.getInputStream().readAllBytes();
                }
            }
            catch (final IOException e)
            {
                // Either this server is being closed, or its peer has had enough.
                continue;
            }
        }
    }
}
