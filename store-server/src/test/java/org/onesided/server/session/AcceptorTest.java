package org.onesided.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.server.shard.SessionGeometry;

/** The acceptor's turns, one by one, while the clock stands still. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AcceptorTest
{
    private static final int HANDSHAKES = 2;
    private static final SessionLimits LIMITS = new SessionLimits(
        256, 0, 0, HANDSHAKES, 0, TimeUnit.SECONDS.toNanos(5), 10_000, new SessionGeometry(1, 8192, 2, 1, 1, 1));
    private static final ServedTable TABLE = new ServedTable(List.of(), List.of(), 1, 1, false);

    @Test
    void shouldBoundThoseThatDoNotReadTheirLastMessage() throws IOException
    {
        final int count = 10;
        final List<MessageChannel> clients = new ArrayList<>();
        try (Acceptor acceptor = new Acceptor(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TABLE,
            new Credentials(null, null), LIMITS, () -> 0))
        {
            for (int i = 0; i < count; i++)
            {
                final MessageChannel client =
                    new MessageChannel(SocketChannel.open(acceptor.address()), Bootstrap.MAX_MESSAGE_LENGTH);
                clients.add(client);
                client.socket().write(ByteBuffer.wrap(new byte[20]));
                // Refused for what it said.
                while (client.poll() == MessageChannel.NOTHING)
                {
                    acceptor.doWork();
                }
            }
            for (int i = 0; i < count; i++)
            {
                assertEquals(i < count - HANDSHAKES - 1, isCut(clients.get(i)), "client=" + i);
            }
        }
        finally
        {
            CloseHelper.closeAll(clients);
        }
    }

    /** Whether the server takes nothing any more. */
    private static boolean isCut(final MessageChannel client)
    {
        try
        {
            for (int i = 0; i < 100; i++)
            {
                client.socket().write(ByteBuffer.wrap(new byte[1]));
            }
            return false;
        }
        catch (final IOException e)
        {
            return true;
        }
    }
}
