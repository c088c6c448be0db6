package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.codec.BackupPartEncoder;
import org.onesided.protocol.bootstrap.codec.BackupStateEncoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.HelloDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;

/** A client that takes a backup, of a server that the test plays. */
@Timeout(120)
class BackupReceiptTest
{
    private static final byte[] BACKUP = {1, 2, 3};
    private static final long REMOVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Set right before the server closes the connection. */
    private final AtomicBoolean isDone = new AtomicBoolean();

    private static long deadline()
    {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    }

    private void send(final ServerSocketChannel listener)
    {
        try (MessageChannel channel = new MessageChannel(listener.accept(), Bootstrap.MAX_MESSAGE_LENGTH))
        {
            final MessageHeaderEncoder header = new MessageHeaderEncoder();
            channel.greet();
            assertEquals(HelloDecoder.TEMPLATE_ID, channel.receive(deadline()));
            channel.send(new BackupStateEncoder().wrapAndApplyHeader(channel.outgoing(), 0, header)
                .length(BACKUP.length).permille(1_000).limit(), deadline());
            channel.send(new BackupPartEncoder().wrapAndApplyHeader(channel.outgoing(), 0, header)
                .putBytes(BACKUP, 0, BACKUP.length).limit(), deadline());
            assertEquals(GoodbyeDecoder.TEMPLATE_ID, channel.receive(deadline()));
            // Removes its files.
            LockSupport.parkNanos(REMOVAL_NS);
            isDone.set(true);
        }
        catch (final IOException e)
        {
            throw new AssertionError(e);
        }
    }

    /** Else the next backup would be refused, for one that is over. */
    @Test
    void shouldEndWhenTheServerIsDone() throws Exception
    {
        try (ServerSocketChannel listener =
            ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            final CompletableFuture<Void> server = CompletableFuture.runAsync(() -> send(listener));
            try (BootstrapConnection connection = new BootstrapConnection(
                new HostAndPort("127.0.0.1", ((InetSocketAddress)listener.getLocalAddress()).getPort()), null,
                deadline()))
            {
                final BackupReceipt receipt = connection.askBackup(new byte[0]);
                assertTrue(receipt.next());
                assertTrue(receipt.next());
                assertEquals(BACKUP.length, receipt.part().capacity());
                assertFalse(receipt.next());
                assertTrue(isDone.get(), "the server is not done with it");
            }
            server.get(60, TimeUnit.SECONDS);
        }
    }
}
