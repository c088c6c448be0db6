package org.onesided.server.accept;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.agrona.CloseHelper;

/**
 * The socket that clients connect to. Not thread-safe.
 */
final class ListeningSocket implements AutoCloseable
{
    /** Length of the queue of connections to accept; the kernel may have a lower limit. */
    private static final int BACKLOG = 1024;

    private final ServerSocketChannel socket;
    private final SelectionKey key;
    private final InetSocketAddress address;

    /**
     * Listens.
     *
     * @param listenAddress to listen on; port 0 for any free one.
     * @param selector      told of connections, by a key without an attachment.
     * @throws IOException if the address cannot be listened on; nothing stays open then but the selector.
     */
    ListeningSocket(final InetSocketAddress listenAddress, final Selector selector) throws IOException
    {
        // Otherwise the IPv4 wildcard address would accept IPv6, too.
        socket = listenAddress.getAddress() instanceof Inet4Address ?
            ServerSocketChannel.open(StandardProtocolFamily.INET) : ServerSocketChannel.open();
        try
        {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(listenAddress, BACKLOG);
            socket.configureBlocking(false);
            key = socket.register(selector, SelectionKey.OP_ACCEPT);
            address = (InetSocketAddress)socket.getLocalAddress();
        }
        catch (final IOException | RuntimeException e)
        {
            CloseHelper.quietClose(socket);
            throw e;
        }
    }

    InetSocketAddress address()
    {
        return address;
    }

    /** Accepts the next connection; null if none waits. */
    SocketChannel accept() throws IOException
    {
        return socket.accept();
    }

    /** Switches the selector's interest in new connections on or off. */
    void listen(final boolean isWanted)
    {
        key.interestOps(isWanted ? SelectionKey.OP_ACCEPT : 0);
    }

    /** Whether the selector reports waiting connections. */
    boolean isListening()
    {
        return key.interestOps() != 0;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(socket);
    }
}
