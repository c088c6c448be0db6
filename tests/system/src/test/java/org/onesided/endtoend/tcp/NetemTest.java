package org.onesided.endtoend.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ShardStatistics;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ServerProcess;
import org.onesided.tools.kvctl.Kvctl;

/**
 * The store over a bad network: the server is in a network namespace of its own, and what goes there and back comes
 * 1 ms later, but for 1 packet in 100. Needs root and a kernel with netem, so it runs in the virtual machine.
 */
@Tag("rdma")
@Timeout(600)
class NetemTest
{
    private static final String NAMESPACE = "store";
    private static final String SERVER = "10.77.0.2";
    private static final Duration PATIENT = Duration.ofSeconds(HangGuard.seconds(40));
    private static final int PAIRS = 200;
    /** Before the cut, and after it. */
    private static final int PUTS = 15;
    private static final int CUT_SECONDS = 5;
    private static final int THREADS = 3;
    private static final String TOKEN = "sesame";

    @TempDir
    private Path directory;

    private ServerProcess server;
    private Path token;

    @BeforeEach
    void start() throws IOException
    {
        run("ip", "netns", "add", NAMESPACE);
        run("ip", "link", "add", "veth0", "type", "veth", "peer", "name", "veth1", "netns", NAMESPACE);
        run("ip", "address", "add", "10.77.0.1/24", "dev", "veth0");
        run("ip", "link", "set", "veth0", "up");
        inside("ip", "address", "add", SERVER + "/24", "dev", "veth1");
        inside("ip", "link", "set", "lo", "up");
        inside("ip", "link", "set", "veth1", "up");
        run("tc", "qdisc", "add", "dev", "veth0", "root", "netem", "delay", "1ms", "loss", "1%");
        inside("tc", "qdisc", "add", "dev", "veth1", "root", "netem", "delay", "1ms", "loss", "1%");
        // Without one a server listens on loopback only.
        token = Files.writeString(directory.resolve("token"), TOKEN);
        server = ServerProcess.startIn(
            List.of("ip", "netns", "exec", NAMESPACE), SERVER + ":0", "--memory", "24m", "--shards", "2",
            "--handshake-timeout", HangGuard.seconds(20) + "s", "--device", "tcp:" + SERVER + ":0",
            "--token-file", token.toString());
    }

    @AfterEach
    void stop() throws IOException
    {
        if (server != null)
        {
            server.close();
        }
        // Its end of the pair goes with it.
        run("ip", "netns", "delete", NAMESPACE);
    }

    @Tag("full")
    @Test
    void shouldLoseNothingOnABadNetwork() throws IOException
    {
        final Random random = new Random(1);
        final TreeSet<String> pairs = new TreeSet<>();
        for (int i = 0; i < PAIRS; i++)
        {
            pairs.add("pair-" + i + "\t" + "x".repeat(random.nextInt(300)));
        }
        final Path file = directory.resolve("pairs.tsv");
        Files.write(file, pairs);
        assertTrue(kvctl("import", file.toString()).contains(PAIRS + " pairs"));
        final Path exported = directory.resolve("exported.tsv");
        kvctl("export", exported.toString());
        assertEquals(pairs, new TreeSet<>(Files.readAllLines(exported)));
        try (StoreClient client = client())
        {
            for (final int length : new int[] {0, 1, 1000, 4096, 100_000, 1 << 20})
            {
                final byte[] value = new byte[length];
                random.nextBytes(value);
                client.put(("length-" + length).getBytes(UTF_8), value);
                assertArrayEquals(value, client.get(("length-" + length).getBytes(UTF_8)));
            }
        }
    }

    @Test
    void shouldLoseAndDoubleNothingWhenTheNetworkIsCut() throws Exception
    {
        final AtomicBoolean isDone = new AtomicBoolean();
        final AtomicLong puts = new AtomicLong();
        final List<Map<String, String>> written = new ArrayList<>();
        final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try (StoreClient client = client())
        {
            final List<Future<Map<String, String>>> futures = new ArrayList<>();
            for (int i = 0; i < THREADS; i++)
            {
                final String name = "thread-" + i;
                futures.add(executor.submit(() -> work(client, name, isDone, puts)));
            }
            awaitMore(puts, PUTS);
            run("ip", "link", "set", "veth0", "down");
            TimeUnit.SECONDS.sleep(CUT_SECONDS);
            run("ip", "link", "set", "veth0", "up");
            awaitMore(puts, PUTS);
            isDone.set(true);
            for (final Future<Map<String, String>> future : futures)
            {
                written.add(future.get(HangGuard.seconds(60), TimeUnit.SECONDS));
            }
            // TCP alone would outlive the cut. Each session had a request under way, and waited 4 s for an answer. More
            // threads than processors may take turns with fewer sessions.
            final ClientStatistics statistics = client.clientStatistics();
            System.out.println("netem: after a cut of " + CUT_SECONDS + " s: " + statistics);
            assertTrue(statistics.reconnects() >= 1, statistics.toString());
        }
        finally
        {
            executor.shutdownNow();
        }
        try (StoreClient other = client())
        {
            for (final Map<String, String> pairs : written)
            {
                for (final Map.Entry<String, String> pair : pairs.entrySet())
                {
                    assertEquals(pair.getValue(), other.get(pair.getKey()));
                }
            }
            // Those that were sent again were done once.
            assertEquals(puts.get(), other.statistics().stream().mapToLong(ShardStatistics::puts).sum());
        }
    }

    /** Puts and gets, and tells what the store must hold in the end. */
    private static Map<String, String> work(
        final StoreClient client, final String name, final AtomicBoolean isDone, final AtomicLong puts)
    {
        final Map<String, String> pairs = new HashMap<>();
        try (StoreSession session = client.openSession())
        {
            for (int i = 0; !isDone.get(); i++)
            {
                final String key = name + "-" + i % 10;
                final String value = "value-" + i + "x".repeat(i % 7 * 500);
                session.put(key, value);
                puts.incrementAndGet();
                pairs.put(key, value);
                assertEquals(value, session.get(key));
            }
        }
        return pairs;
    }

    private static void awaitMore(final AtomicLong count, final long more) throws InterruptedException
    {
        final long least = count.get() + more;
        final long endNs = System.nanoTime() + HangGuard.nanos(60);
        while (count.get() < least)
        {
            assertTrue(System.nanoTime() - endNs < 0, "no progress: count=" + count.get() + " least=" + least);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private StoreClient client()
    {
        return StoreClient.builder()
            .server(server.address()).device("tcp").token(TOKEN.getBytes(UTF_8)).deadline(PATIENT).build();
    }

    private String kvctl(final String... arguments)
    {
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final int exitCode = Kvctl.run(
            List.of(arguments), InputStream.nullInputStream(), new ByteArrayOutputStream(),
            new PrintStream(err, true, UTF_8),
            Map.of("KVCTL_SERVER", server.address(), "KVCTL_DEVICE", "tcp", "KVCTL_DEADLINE", "60s",
                "KVCTL_TOKEN_FILE", token.toString()));
        assertEquals(0, exitCode, err.toString(UTF_8));
        return err.toString(UTF_8);
    }

    private static void inside(final String... command) throws IOException
    {
        final List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", NAMESPACE));
        all.addAll(List.of(command));
        run(all.toArray(new String[0]));
    }

    private static void run(final String... command) throws IOException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        try
        {
            assertEquals(0, process.waitFor(), () -> String.join(" ", command) + ": " + output);
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
    }
}
