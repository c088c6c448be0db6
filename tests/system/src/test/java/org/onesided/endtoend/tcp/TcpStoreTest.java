package org.onesided.endtoend.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.endtoend.DeviceStoreTest;
import org.onesided.testing.HangGuard;
import org.onesided.testing.JavaCommand;

/**
 * The store over the device {@code tcp}, one server for all tests. What the device serves, the server's process does,
 * so there is no test with a server that is stopped.
 */
@Timeout(300)
class TcpStoreTest extends DeviceStoreTest
{
    TcpStoreTest()
    {
        super("tcp:127.0.0.1:0", "tcp");
    }

    @Test
    void shouldFreeWhatAKilledClientHeld() throws IOException, InterruptedException
    {
        try (StoreClient client = client(PATIENT))
        {
            client.put("key", "value");
            final long sessions = sessions(client);
            final long sockets = sockets();
            final Process other = new ProcessBuilder(JavaCommand.of(
                "org.onesided.endtoend.rdma.ClientMain", List.of(server().address(), "tcp", "3")))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
            try
            {
                assertEquals("value", other.inputReader(UTF_8).readLine());
                assertEquals(sessions + 3, sessions(client));
                // Each session has a life line, and a connection for each of two shards.
                assertEquals(sockets + 9, sockets());
            }
            finally
            {
                other.destroyForcibly();
                assertTrue(other.waitFor(HangGuard.seconds(20), TimeUnit.SECONDS));
            }
            final long endNs = System.nanoTime() + HangGuard.nanos(30);
            while (sessions(client) != sessions || sockets() != sockets)
            {
                assertTrue(System.nanoTime() - endNs < 0, "sessions=" + sessions(client) + " before=" + sessions +
                    " sockets=" + sockets() + " before=" + sockets);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertEquals("value", client.get("from-another-process"));
        }
    }

    /** Those that the server's process has open. */
    private long sockets() throws IOException
    {
        long count = 0;
        try (var files = Files.list(Path.of("/proc", Long.toString(server().pid()), "fd")))
        {
            for (final Path file : files.toList())
            {
                try
                {
                    count += Files.readSymbolicLink(file).toString().startsWith("socket:") ? 1 : 0;
                }
                catch (final IOException e)
                {
                    // Closed meanwhile.
                }
            }
        }
        return count;
    }
}
