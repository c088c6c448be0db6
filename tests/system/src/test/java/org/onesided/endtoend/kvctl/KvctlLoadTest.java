package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ShardStatistics;
import org.onesided.testing.HangGuard;
import org.onesided.testing.TestSize;
import org.onesided.tools.load.run.ServerAccess;
import org.onesided.tools.load.run.StoreAccess;

/**
 * {@code kvctl load} against a server.
 */
class KvctlLoadTest
{
    private static final int RECORDS = 200;
    private static KvctlServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() throws Exception
    {
        server = KvctlServer.start("--memory", "32MiB");
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"a, UPDATE", "b, UPDATE", "c, READ", "d, INSERT", "f, READ-MODIFY-WRITE"})
    void shouldRunYcsbsWorkloads(final String letter, final String operation)
    {
        final KvctlCall.Result result = load("-w", letter, "--operations", "1000", "--threads", "2").runHere();

        final String out = result.assertDone().out();
        for (final String part : new String[]{
            "load: 200 operations in", "run: 1,000 operations in", operation, "values, all right",
            " per lookup; ", "processors  ", "server " + server.address()})
        {
            assertTrue(out.contains(part), part + " in " + out);
        }
    }

    static Stream<Arguments> kinds()
    {
        return TestSize.first(2, List.of(
            Arguments.of("version", "1"), Arguments.of("retry", "2"),
            Arguments.of("version", "2"), Arguments.of("retry", "1")));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldReadModifyWriteByVersion(final String kind, final String clients) throws Exception
    {
        final String out = load("-w", "f", "--rmw", kind, "--operations", "2000", "--records", "2", "--threads", "2",
            "--clients", clients, "-o", "json").run().assertDone().out();

        final MatchResult ofRun = Pattern.compile("\"conflicts\": \\{\\s+\"puts\": (\\d+),\\s+\"givenUp\": (\\d+)")
            .matcher(out).results().skip(1).findFirst().orElseThrow();
        final long conflicts = Long.parseLong(ofRun.group(1));
        final long givenUp = Long.parseLong(ofRun.group(2));
        assertEquals(2000, numbers(out, "done").get(1) + givenUp);
        assertEquals(0, numbers(out, "failed").get(1));
        assertEquals("version".equals(kind) ? conflicts : 0, givenUp);
    }

    @Test
    void shouldPutOnlyWhatNobodyElseHasChanged()
    {
        final UnsafeBuffer key = new UnsafeBuffer("contested".getBytes(StandardCharsets.US_ASCII));
        final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
        try (ServerAccess store = new ServerAccess(StoreClient.builder().server(server.address()).build());
            StoreAccess.Session one = store.open();
            StoreAccess.Session other = store.open())
        {
            other.put(key, key.capacity(), value, 1);
            assertEquals(1, one.getVersioned(key, key.capacity(), value));
            other.put(key, key.capacity(), value, 2);
            assertFalse(one.putIfUnchanged(key, key.capacity(), value, 3));
            assertEquals(2, one.getVersioned(key, key.capacity(), value));
            assertTrue(one.putIfUnchanged(key, key.capacity(), value, 3));
            assertEquals(3, other.get(key, key.capacity(), value));
        }
    }

    /** Keys that leave by the server's settings are missed, and nothing is lost. */
    static Stream<Arguments> leaving()
    {
        return TestSize.first(2, List.of(
            Arguments.of("--evict", "density", "1"), Arguments.of("--default-ttl", "50ms", "1"),
            Arguments.of("--evict", "density", "2")));
    }

    @ParameterizedTest
    @MethodSource("leaving")
    void shouldCountKeysThatHaveLeftAsMisses(final String option, final String setting, final String clients)
        throws Exception
    {
        try (KvctlServer own = KvctlServer.start("--memory", "8m", option, setting))
        {
            final String[] words = {"load", "-w", "b", "--records", "10000", "--duration", "1s", "--clients", clients,
                "-o", "json"};
            final KvctlCall call = KvctlCall.of(words).to(own);
            final String out = ("1".equals(clients) ? call.runHere() : call.run()).assertDone().out();
            assertEquals(List.of(0L, 0L), numbers(out, "failed"));
            final MatchResult ofRun = Pattern.compile("\"misses\": (\\d+)")
                .matcher(out).results().skip(1).findFirst().orElseThrow();
            assertTrue(Long.parseLong(ofRun.group(1)) > 0, out);
            final String table = KvctlCall.of("load", "-w", "c", "--records", "10000", "--phase", "run",
                "--operations", "2000").to(own).runHere().out();
            assertTrue(table.matches("(?s).*\nmisses +[0-9,]+ lookups? found no key, [0-9.]+ %\n.*"), table);
        }
    }

    @Test
    void shouldVerifyWhatAnEarlierRunLoaded()
    {
        load("--phase", "load").runHere().assertDone();
        final String out = load("--phase", "run", "-w", "c", "--operations", "300").runHere().assertDone().out();

        assertTrue(out.contains("verified    300 values, all right"), out);
    }

    @Test
    void shouldMergeWhatSeveralProcessesDid() throws Exception
    {
        final KvctlCall.Result result =
            load("-w", "d", "--clients", "2", "--threads", "2", "--operations", "1001", "-o", "json").run();

        final String out = result.assertDone().out();

        assertEquals(List.of(200L, 1001L), numbers(out, "done"));
        assertEquals(List.of(0L, 0L), numbers(out, "failed"));
        // What was put, read and inserted, as the merged histograms have it.
        final List<Long> counts = operationCounts(out);
        assertEquals(200, counts.get(0));
        assertEquals(1001, counts.get(1) + counts.get(2));
    }

    @Tag("full")
    @Test
    void shouldTellOfAClientThatDies() throws Exception
    {
        final long putsBefore = puts();
        final Path out = directory.resolve("out");
        final Process process = start(out, "-w", "a", "--clients", "2", "--duration", "10m");
        awaitPuts(process, putsBefore + RECORDS + 1);
        final ProcessHandle killed = process.children().findFirst().orElseThrow();
        killed.destroyForcibly();
        killed.onExit().join();
        // What the other one does tells that it, too, had begun.
        awaitPuts(process, puts() + 500);
        signal(process, "TERM");

        assertEquals(143, process.waitFor());
        final String text = Files.readString(out);
        assertTrue(text.contains(" ended early: it died (exit code 137)"), text);
        assertTrue(text.contains("(ended by a failure)"), text);
        assertTrue(text.contains("READ "), text);
    }

    static Stream<String> clients()
    {
        return TestSize.first(1, List.of("2", "1"));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void shouldEndEarlyWithTheResultsSoFar(final String clients) throws Exception
    {
        final long putsBefore = puts();
        final Path out = directory.resolve("out");
        final Path report = directory.resolve("report.html");
        final Path log = directory.resolve("run.hlog");
        final Process process = start(out, "-w", "a", "--clients", clients, "--duration", "10m",
            "--report", report.toString(), "--hlog", log.toString());
        awaitPuts(process, putsBefore + RECORDS + 100);
        final List<ProcessHandle> children = process.children().toList();
        assertEquals("1".equals(clients) ? 0 : 2, children.size());
        signal(process, "INT");

        assertEquals(130, process.waitFor());
        final String text = Files.readString(out);
        assertTrue(text.contains("(interrupted)"), text);
        assertTrue(text.contains("UPDATE "), text);
        assertTrue(text.contains("values, all right"), text);
        assertTrue(text.startsWith("kvctl load: interrupted; the result is that of the time until then"), text);
        assertTrue(Files.readString(log).contains("Tag=run.UPDATE,"), Files.readString(log));
        assertTrue(Files.readString(report).endsWith("</html>\n"));
        for (final ProcessHandle child : children)
        {
            assertFalse(child.isAlive(), child.toString());
        }
    }

    @Tag("full")
    @Test
    void shouldSayWhyItsClientsDoNotStart() throws Exception
    {
        KvctlCall.of("load", "--clients", "2", "--server", "127.0.0.1:1").run()
            .assertFailed(4, "kvctl load: ", "127.0.0.1:1");
    }

    @Tag("full")
    @Test
    void shouldEndWhereTheStoreIsFull() throws Exception
    {
        final KvctlCall.Result result;
        try (KvctlServer small = KvctlServer.start("--memory", "16MiB"))
        {
            result = KvctlCall.of("load", "--field-length", "50000", "--operations", "10").to(small).runHere();
        }

        assertEquals(7, result.exitCode(), result.err());
        assertTrue(result.err().contains("the store is full, have a larger one"), result.err());
        assertTrue(result.out().contains("store-full"), result.out());
        assertFalse(result.out().contains("run: "), result.out());
    }

    private static KvctlCall load(final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of("load"));
        if (!List.of(arguments).contains("--records"))
        {
            all.addAll(List.of("--records", Integer.toString(RECORDS)));
        }
        all.addAll(List.of(arguments));
        return KvctlCall.of(all.toArray(String[]::new)).to(server);
    }

    private static Process start(final Path output, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(HeedsSignals.PREFIX);
        command.addAll(KvctlCall.program());
        command.addAll(List.of("load", "--server", server.address(), "--records", Integer.toString(RECORDS)));
        command.addAll(List.of(arguments));
        final File file = output.toFile();
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(file).start();
    }

    private static long puts()
    {
        try (StoreClient client = StoreClient.builder().server(server.address()).build())
        {
            return client.statistics().stream().mapToLong(ShardStatistics::puts).sum();
        }
    }

    private static void awaitPuts(final Process process, final long count) throws InterruptedException
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(240);
        while (puts() < count)
        {
            assertTrue(process.isAlive(), "it ended before it was told to");
            assertTrue(System.nanoTime() - endNs < 0, "it does not get on: " + puts() + " of " + count + " puts");
            Thread.sleep(10);
        }
    }

    private static void signal(final Process process, final String name) throws Exception
    {
        assertEquals(0, new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor());
    }

    private static List<Long> numbers(final String json, final String field)
    {
        final Matcher matcher = Pattern.compile("\n    \"" + field + "\": (\\d+)").matcher(json);
        return matcher.results().map(result -> Long.parseLong(result.group(1))).toList();
    }

    private static List<Long> operationCounts(final String json)
    {
        final Matcher matcher = Pattern.compile(
            "\"operation\": \"[A-Z]+\",\\s+\"count\": (\\d+),\\s+\"failed\": 0,\\s+\"throughput\"").matcher(json);
        return matcher.results().map(result -> Long.parseLong(result.group(1))).toList();
    }
}
