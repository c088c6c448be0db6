package org.onesided.server.accept;

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
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.session.Credentials;
import org.onesided.server.session.RecoveredSessions;
import org.onesided.server.session.ServedTable;
import org.onesided.server.session.SessionLimits;

/** The acceptor's turns, one by one, while the clock stands still. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AcceptorTest
{
    private static final int HANDSHAKES = 2;
    private static final SessionLimits LIMITS = new SessionLimits(
        256, 0, 0, HANDSHAKES, 0, TimeUnit.SECONDS.toNanos(5), 10_000, new SessionGeometry(1, 8192, 2, 1, 1, 1));
    private static final ServedTable TABLE = new ServedTable(
        List.of(), List.of(), 1, 1, false, 1, Eviction.NONE, 0, null, new RecoveredSessions(), null, 1, null, null);

    @Test
    void shouldBoundThoseThatDoNotReadTheirLastMessage() throws Exception
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
                final boolean isExpected = i < count - HANDSHAKES - 1;
                assertEquals(isExpected, isCut(clients.get(i), isExpected), "client=" + i);
            }
        }
        finally
        {
            CloseHelper.closeAll(clients);
        }
    }

    /** Whether the server takes nothing any more; where that is expected, it is waited for. */
    private static boolean isCut(final MessageChannel client, final boolean isExpected) throws InterruptedException
    {
        try
        {
            for (int i = 0; i < (isExpected ? 10_000 : 100); i++)
            {
                client.socket().write(ByteBuffer.wrap(new byte[1]));
                Thread.sleep(isExpected ? 1 : 0);
            }
            return false;
        }
        catch (final IOException e)
        {
            return true;
        }
    }
}
