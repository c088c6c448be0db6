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
import org.onesided.testing.ServerProcess;

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

    /** At a server of its own: clients of other tests may be about to leave the common one. */
    @Test
    void shouldFreeWhatAKilledClientHeld() throws IOException, InterruptedException
    {
        try (ServerProcess server =
            ServerProcess.start("--memory", "64m", "--shards", "2", "--device", "tcp:127.0.0.1:0"))
        {
            final long idle = sockets(server);
            try (StoreClient client =
                StoreClient.builder().server(server.address()).device("tcp").deadline(PATIENT).build())
            {
                client.put("key", "value");
                await(server, client, idle, 1);
                final Process other = new ProcessBuilder(JavaCommand.of(
                    "org.onesided.endtoend.rdma.ClientMain", List.of(server.address(), "tcp", "3")))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
                try
                {
                    assertEquals("value", other.inputReader(UTF_8).readLine());
                    assertEquals(4, sessions(client));
                    await(server, client, idle, 4);
                }
                finally
                {
                    other.destroyForcibly();
                    assertTrue(other.waitFor(HangGuard.seconds(20), TimeUnit.SECONDS));
                }
                await(server, client, idle, 1);
                assertEquals("value", client.get("from-another-process"));
            }
        }
    }

    /** Until there are so many sessions, each with a life line, and a connection for each of two shards. */
    private static void await(
        final ServerProcess server, final StoreClient client, final long idle, final long sessions)
        throws IOException, InterruptedException
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(60);
        while (sessions(client) != sessions || sockets(server) != idle + 3 * sessions)
        {
            assertTrue(System.nanoTime() - endNs < 0, "sessions=" + sessions(client) + " wanted=" + sessions +
                " sockets=" + sockets(server) + " idle=" + idle);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Those that a server's process has open. */
    private static long sockets(final ServerProcess server) throws IOException
    {
        long count = 0;
        try (var files = Files.list(Path.of("/proc", Long.toString(server.pid()), "fd")))
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
