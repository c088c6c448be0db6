package org.onesided.endtoend;

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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.read.SessionProbe;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ServerProcess;
import org.onesided.tools.kvctl.Kvctl;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;

/**
 * What the store does over every device that reaches other hosts: one server, a process of its own, for all tests.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class DeviceStoreTest
{
    /** Of clients that wait for a server to come back. */
    protected static final Duration PATIENT = Duration.ofSeconds(HangGuard.seconds(20));
    /** Of clients that are meant to give up. */
    protected static final Duration HASTY = Duration.ofSeconds(HangGuard.seconds(5));

    private static final Path PACKAGES = Path.of("/var/lib/dpkg/status");
    private static final int MAX_PAIRS = 500;

    private final String serverDevice;
    private final String device;
    private ServerProcess server;

    @TempDir
    private Path directory;

    /**
     * @param serverDevice that the server is told of.
     * @param device       that clients are told of, a kind.
     */
    protected DeviceStoreTest(final String serverDevice, final String device)
    {
        this.serverDevice = serverDevice;
        this.device = device;
    }

    @BeforeAll
    @Timeout(600)
    void startServer() throws IOException
    {
        server = ServerProcess.start("--memory", "96m", "--shards", "2", "--device", serverDevice);
    }

    @AfterAll
    void stopServer() throws IOException
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

    /**
     * @return the server.
     */
    protected final ServerProcess server()
    {
        return server;
    }

    /**
     * @param deadline of its operations.
     * @return a client of the server.
     */
    protected final StoreClient client(final Duration deadline)
    {
        return StoreClient.builder().server(server.address()).device(device).deadline(deadline).build();
    }

    /**
     * @param client of the server.
     * @return sessions that the server has, by what it tells.
     */
    protected static long sessions(final StoreClient client)
    {
        return client.statistics().get(0).sessions();
    }

    @Test
    void shouldLetNoClientWriteToTheTable()
    {
        try (StoreClient client = client(PATIENT))
        {
            client.put("untouched", "value");
            for (final int opcode :
                new int[]{Opcode.RDMA_WRITE, Opcode.ATOMIC_CMP_AND_SWP, Opcode.ATOMIC_FETCH_AND_ADD})
            {
                try (StoreSession session = client.openSession())
                {
                    final int status = new SessionProbe(session).violate(opcode);
                    // Soft-RoCE finds that the queue pair does not allow it before it looks at the memory's key.
                    assertTrue(status == CompletionStatus.REM_ACCESS_ERR ||
                        status == CompletionStatus.REM_INV_REQ_ERR ||
                        opcode != Opcode.RDMA_WRITE && status == -Errno.EOPNOTSUPP,
                        "opcode=" + opcode + " status=" + status);
                }
            }
            // Whoever changed the superblock would be found out here.
            try (StoreSession session = client.openSession())
            {
                assertEquals("value", session.get("untouched"));
            }
        }
    }

    @Tag("full")
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
            assertTrue(client.server().device().startsWith(device), client.server().device());
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

    @Tag("full")
    @Test
    void shouldTellOfAKilledServerAndReconnectWhenItIsBack() throws IOException
    {
        final ServerProcess first = ServerProcess.start("--memory", "32m", "--device", serverDevice);
        final String address = first.address();
        try (first;
            StoreClient hasty = StoreClient.builder().server(address).deadline(HASTY).build();
            StoreClient patient = StoreClient.builder().server(address).deadline(PATIENT).build())
        {
            hasty.put("key", "value");
            patient.put("key", "value");
            assertTrue(hasty.server().device().startsWith(device), hasty.server().device());
            first.kill();
            final long startNs = System.nanoTime();
            assertThrows(StoreException.class, () -> hasty.get("key"));
            final long elapsedNs = System.nanoTime() - startNs;
            assertTrue(elapsedNs < HASTY.toNanos() + HangGuard.nanos(5), "elapsed ns: " + elapsedNs);
            assertThrows(StoreException.class, () -> hasty.put("key", "other"));

            try (ServerProcess second = ServerProcess.startOn(address, "--memory", "32m", "--device", serverDevice))
            {
                assertNull(patient.get("key"));
                patient.put("key", "new");
                assertEquals("new", patient.get("key"));
                assertEquals(0, second.terminate());
            }
        }
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

    private String kvctl(final String... arguments)
    {
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final int exitCode = Kvctl.run(
            List.of(arguments), InputStream.nullInputStream(), new ByteArrayOutputStream(),
            new PrintStream(err, true, UTF_8),
            Map.of("KVCTL_SERVER", server.address(), "KVCTL_DEVICE", device));
        assertEquals(0, exitCode, err.toString(UTF_8));
        return err.toString(UTF_8);
    }
}
