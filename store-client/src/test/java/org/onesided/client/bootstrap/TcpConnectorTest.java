package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TcpConnectorTest
{
    private static long deadline()
    {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    }

    private static InetAddress address(final int... bytes) throws IOException
    {
        final byte[] raw = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++)
        {
            raw[i] = (byte)bytes[i];
        }
        return InetAddress.getByAddress(raw);
    }

    @Test
    void shouldTryTheNextAddressWhereOneHasNoRoute() throws Exception
    {
        final InetAddress here = address(127, 0, 0, 1);
        try (ServerSocket listener = new ServerSocket(0, 1, here))
        {
            // No route leads a connection to the broadcast address.
            final InetAddress[] addresses = {address(255, 255, 255, 255), here};
            try (SocketChannel socket = TcpConnector.connect(addresses, listener.getLocalPort(), deadline(), () -> { }))
            {
                assertEquals(here, ((InetSocketAddress)socket.getRemoteAddress()).getAddress());
            }
        }
    }

    @Test
    void shouldTellWhatBecameOfTheFirstAddress() throws Exception
    {
        final InetAddress[] addresses = {address(255, 255, 255, 255), address(255, 255, 255, 255)};
        assertThrows(IOException.class, () -> TcpConnector.connect(addresses, 1, deadline(), () -> { }));
    }

    /** As the system may connect it while nothing listens there. */
    @Test
    void shouldRefuseASocketThatIsConnectedToItself() throws Exception
    {
        final InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (SocketChannel socket = SocketChannel.open().bind(anyPort);
            ServerSocketChannel server = ServerSocketChannel.open().bind(anyPort);
            SocketChannel other = SocketChannel.open(server.getLocalAddress()))
        {
            assertTrue(socket.connect(socket.getLocalAddress()));
            assertThrows(ConnectException.class, () -> TcpConnector.checkPeer(socket));
            assertDoesNotThrow(() -> TcpConnector.checkPeer(other));
        }
    }
}
