package org.onesided.endtoend.rdma;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreBatchException;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreDeadlineException;
import org.onesided.client.StoreException;
import org.onesided.client.StoreSession;
import org.onesided.client.WriteFate;
import org.onesided.endtoend.JavaCommand;
import org.onesided.endtoend.ServerProcess;
import org.onesided.testing.HangGuard;
import org.onesided.tools.kvctl.Kvctl;

/**
 * The store over the device {@code ibv}, one server for all tests.
 */
@Tag("rdma")
@Timeout(600)
class RdmaStoreTest
{
    private static final String DEVICE = "ibv";
    private static final Path PACKAGES = Path.of("/var/lib/dpkg/status");
    private static final int MAX_PAIRS = 500;
    private static final Duration PATIENT = Duration.ofSeconds(HangGuard.seconds(20));
    private static final Duration HASTY = Duration.ofSeconds(HangGuard.seconds(2));
    private static ServerProcess server;

    @TempDir
    private Path directory;

    @BeforeAll
    @Timeout(600)
    static void startServer() throws IOException
    {
        server = ServerProcess.start("--memory", "96m", "--shards", "2", "--device", DEVICE);
    }

    @AfterAll
    static void stopServer() throws IOException
    {
        try
        {
            assertEquals(0, server.terminate());
        }
        finally
        {
            server.close();
        }
    }

    @Test
    void shouldImportWhatThisMachineKnowsAndExportItAgain() throws IOException
    {
        final Map<String, String> pairs = realPairs();
        assertTrue(pairs.size() > 50, "pairs=" + pairs.size());
        final Path file = directory.resolve("pairs.tsv");
        Files.write(file, (Iterable<String>)pairs.entrySet().stream()
            .map((pair) -> pair.getKey() + "\t" + pair.getValue())::iterator, UTF_8);
        final Path exported = directory.resolve("exported.tsv");

        final String imported = kvctl("import", file.toString());
        assertTrue(imported.contains(pairs.size() + " pairs"), imported);
        kvctl("export", exported.toString());

        final Map<String, String> found = new TreeMap<>();
        Files.readAllLines(exported, UTF_8).stream()
            .map((line) -> line.split("\t", 2))
            .filter((pair) -> pair[0].startsWith("real/"))
            .forEach((pair) -> found.put(pair[0], pair[1]));
        assertEquals(pairs, found);
    }

    @Test
    void shouldPutAndGetLargeValues()
    {
        try (StoreClient client = client(PATIENT))
        {
            final Random random = new Random(1);
            // The last is longer than the longest message of Soft-RoCE.
            for (final int length : new int[]{0, 4096, 200_000, 3 << 20, (9 << 20) + 17})
            {
                final byte[] value = new byte[length];
                random.nextBytes(value);
                final byte[] key = ("large-" + length).getBytes(UTF_8);
                client.put(key, value);
                assertArrayEquals(value, client.get(key));
            }
            assertTrue(client.delete("large-" + ((9 << 20) + 17)));
            assertTrue(client.server().device().startsWith("ibv:"), client.server().device());
        }
    }

    @Test
    void shouldPutManyTogetherAndLookThemUpAsynchronously() throws Exception
    {
        try (StoreClient client = client(PATIENT))
        {
            // Some go inline, some do not, and some are longer than a message.
            final Random random = new Random(2);
            final List<byte[]> keys = new ArrayList<>();
            final List<byte[]> values = new ArrayList<>();
            for (int i = 0; i < 500; i++)
            {
                final byte[] value = new byte[i % 100 == 99 ? 50_000 : random.nextInt(400)];
                random.nextBytes(value);
                keys.add(("many-" + i).getBytes(UTF_8));
                values.add(value);
            }
            client.putAll(keys, values);
            final AsyncStore async = client.async();
            final List<byte[]> found = async.getAll(keys).get(HangGuard.seconds(20), TimeUnit.SECONDS);
            for (int i = 0; i < keys.size(); i++)
            {
                assertArrayEquals(values.get(i), found.get(i), "value " + i);
            }
            final List<CompletableFuture<Boolean>> deletes = new ArrayList<>();
            keys.forEach((key) -> deletes.add(async.delete(key)));
            for (final CompletableFuture<Boolean> delete : deletes)
            {
                assertTrue(delete.get(HangGuard.seconds(20), TimeUnit.SECONDS));
            }
            assertEquals(0, client.clientStatistics().reconnects());
        }
    }

    @Test
    void shouldEndABatchAtTheDeadlineAndGoOn()
    {
        try (StoreClient hasty = client(HASTY); StoreSession session = hasty.openSession())
        {
            final List<byte[]> keys = new ArrayList<>();
            for (int i = 0; i < 100; i++)
            {
                keys.add(("late-" + i).getBytes(UTF_8));
            }
            session.put("before", "value");
            server.freeze();
            try
            {
                final StoreBatchException late =
                    assertThrows(StoreBatchException.class, () -> session.putAll(keys, keys));
                assertTrue(late.count(WriteFate.UNKNOWN) >= hasty.server().credits(), late.getMessage());
                assertEquals(0, late.count(WriteFate.APPLIED));
                assertEquals("value", session.get("before"));
            }
            finally
            {
                server.thaw();
            }
            session.putAll(keys, keys);
            assertEquals("late-7", session.get("late-7"));
        }
    }

    @Test
    void shouldLookUpWhileTheServerIsStopped()
    {
        try (StoreClient patient = client(PATIENT);
            StoreClient hasty = client(HASTY);
            StoreSession session = hasty.openSession())
        {
            final String large = "x".repeat(300_000);
            patient.put("large", large);
            for (int i = 0; i < 50; i++)
            {
                patient.put("key-" + i, "value-" + i);
            }
            assertEquals("value-1", session.get("key-1"));
            server.freeze();
            try
            {
                for (int i = 0; i < 50; i++)
                {
                    assertEquals("value-" + i, session.get("key-" + i));
                }
                assertNull(session.get("absent"));
                final StoreDeadlineException late =
                    assertThrows(StoreDeadlineException.class, () -> session.put("written", "late"));
                assertEquals(WriteFate.UNKNOWN, late.writeFate());
                assertEquals(large, session.get("large"));
                assertEquals("value-1", session.get("key-1"));
                assertEquals(0, session.clientStatistics().rpcGets());
            }
            finally
            {
                server.thaw();
            }
            patient.put("written", "after");
            assertEquals("after", patient.get("written"));
        }
    }

    @Test
    void shouldFreeWhatAKilledClientHeld() throws IOException, InterruptedException
    {
        try (StoreClient client = client(PATIENT))
        {
            final String device = client.server().device().split("[: ]")[1];
            final long sessions = sessions(client);
            final int queuePairs = RdmaObjects.count(device, "qp");
            final int regions = RdmaObjects.count(device, "mr");
            final Process other = new ProcessBuilder(JavaCommand.of(
                "org.onesided.endtoend.rdma.ClientMain", List.of(server.address(), DEVICE, "3")))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
            try
            {
                assertEquals("value", other.inputReader(UTF_8).readLine());
                assertEquals(sessions + 3, sessions(client));
                // Two shards: on both sides each session has two queue pairs.
                assertEquals(queuePairs + 12, RdmaObjects.count(device, "qp"));
            }
            finally
            {
                other.destroyForcibly();
                assertTrue(other.waitFor(HangGuard.seconds(20), TimeUnit.SECONDS));
            }
            final long endNs = System.nanoTime() + HangGuard.nanos(30);
            while (sessions(client) != sessions || RdmaObjects.count(device, "qp") != queuePairs ||
                RdmaObjects.count(device, "mr") != regions)
            {
                assertTrue(System.nanoTime() - endNs < 0, "sessions=" + sessions(client) + " before=" + sessions +
                    " qp=" + RdmaObjects.count(device, "qp") + " before=" + queuePairs +
                    " mr=" + RdmaObjects.count(device, "mr") + " before=" + regions);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertEquals("value", client.get("from-another-process"));
        }
    }

    @Test
    void shouldSayThatThePortIsDownAndGoOnWhenItIsUp() throws IOException
    {
        try (StoreClient patient = client(PATIENT); StoreClient hasty = client(HASTY))
        {
            hasty.put("key", "value");
            assertEquals("value", patient.get("key"));
            final String device = hasty.server().device().split("[: ]")[1];
            RdmaObjects.link(device, false);
            try
            {
                final long endNs = System.nanoTime() + HangGuard.nanos(30);
                final StoreException down = assertThrows(StoreException.class, () ->
                {
                    while (System.nanoTime() - endNs < 0)
                    {
                        hasty.get("key");
                    }
                });
                assertTrue(down.getMessage().contains("port down") && down.getMessage().contains("DOWN"),
                    down.getMessage());
            }
            finally
            {
                RdmaObjects.link(device, true);
            }
            assertEquals("value", patient.get("key"));
            patient.put("key", "other");
            assertEquals("other", patient.get("key"));
        }
    }

    @Test
    void shouldTellOfAKilledServerAndReconnectWhenItIsBack() throws IOException
    {
        final ServerProcess first = ServerProcess.start("--memory", "32m", "--device", "auto");
        final String address = first.address();
        try (first;
            StoreClient hasty = StoreClient.builder().server(address).deadline(HASTY).build();
            StoreClient patient = StoreClient.builder().server(address).deadline(PATIENT).build())
        {
            hasty.put("key", "value");
            patient.put("key", "value");
            assertTrue(hasty.server().device().startsWith("ibv:"), hasty.server().device());
            first.kill();
            final long startNs = System.nanoTime();
            assertThrows(StoreException.class, () -> hasty.get("key"));
            final long elapsedNs = System.nanoTime() - startNs;
            assertTrue(elapsedNs < HASTY.toNanos() + HangGuard.nanos(5), "elapsed ns: " + elapsedNs);
            assertThrows(StoreException.class, () -> hasty.put("key", "other"));

            try (ServerProcess second = ServerProcess.startOn(address, "--memory", "32m", "--device", "auto"))
            {
                assertNull(patient.get("key"));
                patient.put("key", "new");
                assertEquals("new", patient.get("key"));
                assertEquals(0, second.terminate());
            }
        }
    }

    private static StoreClient client(final Duration deadline)
    {
        return StoreClient.builder().server(server.address()).device(DEVICE).deadline(deadline).build();
    }

    private static long sessions(final StoreClient client)
    {
        return client.statistics().get(0).sessions();
    }

    /** Names and versions of this machine's packages; where it has none, names and lengths of Java's files. */
    private static Map<String, String> realPairs() throws IOException
    {
        final Map<String, String> pairs = new TreeMap<>();
        if (Files.isReadable(PACKAGES))
        {
            String name = null;
            for (final String line : Files.readAllLines(PACKAGES, UTF_8))
            {
                name = line.startsWith("Package: ") ? line.substring(9) : name;
                if (line.startsWith("Version: ") && pairs.size() < MAX_PAIRS)
                {
                    pairs.put("real/" + name, line.substring(9));
                }
            }
            return pairs;
        }
        try (Stream<Path> files = Files.walk(Path.of(System.getProperty("java.home"))))
        {
            for (final Path file : (Iterable<Path>)files.filter(Files::isRegularFile).limit(MAX_PAIRS)::iterator)
            {
                pairs.put("real/" + file, Long.toString(Files.size(file)));
            }
        }
        return pairs;
    }

    private static String kvctl(final String... arguments)
    {
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final int exitCode = Kvctl.run(
            List.of(arguments), InputStream.nullInputStream(), new ByteArrayOutputStream(),
            new PrintStream(err, true, UTF_8),
            Map.of("KVCTL_SERVER", server.address(), "KVCTL_DEVICE", DEVICE));
        assertEquals(0, exitCode, err.toString(UTF_8));
        return err.toString(UTF_8);
    }
}
