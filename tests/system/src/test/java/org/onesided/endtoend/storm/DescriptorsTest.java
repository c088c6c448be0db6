package org.onesided.endtoend.storm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.testing.ServerProcess;

/**
 * A server process that runs out of file descriptors because strangers connect: it says so once in a while, goes on to
 * serve the clients that it has, refuses strangers by the limit that they met, and takes new clients as soon as it can.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DescriptorsTest
{
    private static final int DESCRIPTORS = 300;
    /** With it 512 connections may wait, more than there are descriptors. */
    private static final int HANDSHAKES = 64;
    private static final String WARNING = "connection could not be accepted";
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    /** It warns so often at most. */
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(10);

    private final List<SocketChannel> strangers = new ArrayList<>();

    @AfterEach
    void leave()
    {
        CloseHelper.quietCloseAll(strangers);
    }

    @Test
    void shouldServeItsClientsAndRecoverWhereDescriptorsRunOut() throws Exception
    {
        final List<String> limited = List.of(
            "sh", "-c", "ulimit -n " + DESCRIPTORS + " && exec \"$@\"", "sh");
        try (ServerProcess server = ServerProcess.startIn(
            limited, "127.0.0.1:0", "--memory", "64m", "--max-handshakes", Integer.toString(HANDSHAKES));
            StoreClient early = connect(server))
        {
            early.put("key", "before");
            final long startNs = System.nanoTime();
            while (server.warnings(WARNING) == 0)
            {
                strangers.add(stranger(server));
            }
            early.put("key", "meanwhile");
            assertEquals("meanwhile", early.get("key"));

            // The strangers keep silent, so that those that begin give way to those that wait.
            final FutureTask<String> late = new FutureTask<>(() -> look(server));
            new Thread(late, "late-client").start();
            await(() -> strangers.stream().anyMatch((each) -> read(each).contains("max-handshakes=" + HANDSHAKES)));
            CloseHelper.quietCloseAll(strangers);
            assertEquals("meanwhile", late.get());
            assertEquals("meanwhile", early.get("key"));
            final long warnings = server.warnings(WARNING);
            assertTrue(warnings <= 1 + (System.nanoTime() - startNs) / PERIOD_NS, "warnings=" + warnings);
        }
    }

    private static StoreClient connect(final ServerProcess server)
    {
        return StoreClient.builder().server(server.address()).device("shm").deadline(DEADLINE).build();
    }

    private static String look(final ServerProcess server)
    {
        try (StoreClient client = connect(server))
        {
            return client.get("key");
        }
    }

    private static SocketChannel stranger(final ServerProcess server) throws IOException
    {
        final URI address = URI.create("tcp://" + server.address());
        final SocketChannel socket = SocketChannel.open();
        socket.configureBlocking(false);
        socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
        return socket;
    }

    /** What has come since the last call; nothing if the connection has ended. */
    private static String read(final SocketChannel socket)
    {
        try
        {
            final ByteBuffer bytes = ByteBuffer.allocate(1024);
            final boolean isThere = socket.finishConnect() && socket.read(bytes) > 0;
            return isThere ? new String(bytes.array(), 0, bytes.position(), US_ASCII) : "";
        }
        catch (final IOException e)
        {
            return "";
        }
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException
    {
        while (!condition.getAsBoolean())
        {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
