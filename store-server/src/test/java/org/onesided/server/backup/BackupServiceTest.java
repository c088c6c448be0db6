package org.onesided.server.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedDecoder;
import org.onesided.server.data.TableIdentity;

/** Clients that ask for backups of a server whose disk cannot hold them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackupServiceTest
{
    @TempDir
    private Path folder;

    private static long deadline()
    {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    }

    private static MessageChannel ask(final BackupService service) throws IOException
    {
        try (ServerSocketChannel listener = ServerSocketChannel.open())
        {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            final MessageChannel client =
                new MessageChannel(SocketChannel.open(listener.getLocalAddress()), Bootstrap.MAX_MESSAGE_LENGTH);
            service.serve(new MessageChannel(listener.accept(), Bootstrap.MAX_HELLO_LENGTH), "peer", "identity");
            return client;
        }
    }

    /** Whoever was refused may ask again at once, before it has left. */
    @Test
    void shouldBeReadyForTheNextWhenAClientHearsThatThereIsNone() throws IOException
    {
        final Path file = Files.createFile(folder.resolve("file"));
        final BackupService service = new BackupService(
            file.resolve("backup"), TableIdentity.draw(), List.of(), true, () -> true, BackupService.CLIENT_NS);
        try (MessageChannel first = ask(service))
        {
            assertRefused(first);
            assertNull(service.refusal());
            try (MessageChannel second = ask(service))
            {
                assertRefused(second);
                assertNull(service.refusal());
                assertThrows(EOFException.class, () -> first.receive(deadline()));
            }
        }
        finally
        {
            service.close();
        }
    }

    private static void assertRefused(final MessageChannel client) throws IOException
    {
        assertEquals(RefusedDecoder.TEMPLATE_ID, client.receive(deadline()));
        final RefusedDecoder refused =
            new RefusedDecoder().wrapAndApplyHeader(client.message(), 0, new MessageHeaderDecoder());
        assertEquals(RefusalCode.BACKUP, refused.code());
        final String reason = refused.reason();
        assertTrue(reason.startsWith("the server's disk cannot be used for a backup"), reason);
    }
}
