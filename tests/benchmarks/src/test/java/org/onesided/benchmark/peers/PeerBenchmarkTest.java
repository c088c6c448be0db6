package org.onesided.benchmark.peers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.ProjectFolder;
import picocli.CommandLine.Option;

/**
 * That the benchmark runs, with as few records and rounds as there can be, and all systems that are installed.
 */
class PeerBenchmarkTest
{
    private static List<Map<?, ?>> rows(final Object tree, final String part)
    {
        return ((List<?>)((Map<?, ?>)tree).get(part)).stream().<Map<?, ?>>map((row) -> (Map<?, ?>)row).toList();
    }

    private static double named(final List<Map<?, ?>> rows, final String name, final String field)
    {
        return rows.stream().filter((row) -> name.equals(row.get("name"))).findFirst()
            .map((row) -> (Double)row.get(field)).orElseThrow(() -> new AssertionError("not measured: " + name));
    }

    @Tag("full")
    @Test
    void shouldMeasureAndStopWhatItStarted(@TempDir final Path folder) throws IOException
    {
        final Path json = folder.resolve("benchmarks.json");
        final List<Long> before = ProcessHandle.current().children().map(ProcessHandle::pid).toList();

        assertEquals(0, PeerBenchmark.run(List.of(
            "--root=" + ProjectFolder.ROOT, "--records=2000", "--rounds=1", "--millis=5", "--warm-up=5",
            "--jvm-option=-XX:TieredStopAtLevel=1", "--only=getall,pause,redis-benchmark,counts", "--json=" + json)));

        final Object tree = Json.read(Files.readString(json));
        final List<Map<?, ?>> comparisons = rows(tree, "comparisons");
        assertTrue(named(comparisons, "getAll of 64 / Chronicle Map getUsing", "ratio") > 0);
        final boolean hasRedis = PeerServer.find("redis-server").isPresent();
        final List<?> missing = (List<?>)((Map<?, ?>)tree).get("missing");
        assertEquals(!hasRedis, missing.contains("redis-server"));
        if (hasRedis)
        {
            assertTrue(named(comparisons, "PUT after a pause / Redis SET (Jedis)", "ratio") > 0);
        }
        final double reads =
            named(rows(tree, "figures"), "READs per GET after warmUp(), 9 hits to 1 miss", "value");
        assertTrue(reads >= 1 && reads < 2, "reads=" + reads);
        assertTrue(new Report(tree).page().contains("getAll of 64"));
        assertEquals("", ProcessHandle.current().children()
            .filter((child) -> !before.contains(child.pid()))
            .map((child) -> child.info().toString()).collect(Collectors.joining()));
    }

    @Test
    void shouldRefuseToMeasureNothing()
    {
        final PrintStream before = System.err;
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, UTF_8));
        try
        {
            assertEquals(2, PeerBenchmark.run(List.of("--root=" + ProjectFolder.ROOT, "--only=get,nonsense")));
            assertEquals(2, PeerBenchmark.run(List.of("--root=" + ProjectFolder.ROOT, "--nonsense")));
        }
        finally
        {
            System.setErr(before);
        }
        final List<String> lines = err.toString(UTF_8).lines().toList();
        assertEquals(2, lines.size(), lines.toString());
        assertTrue(
            lines.get(0).startsWith("benchmark: nothing has this in its name: --only=nonsense, there are: [GET, "),
            lines.get(0));
        assertTrue(lines.get(1).contains("--nonsense"), lines.get(1));
    }

    @Test
    void shouldListEachOptionInTheHelpOfTheScript() throws IOException
    {
        final String script = Files.readString(ProjectFolder.ROOT.resolve("tests/runs/benchmark.sh"));
        for (final Field field : PeerBenchmark.class.getDeclaredFields())
        {
            final Option option = field.getAnnotation(Option.class);
            if (option != null && !option.hidden())
            {
                assertTrue(script.contains("\n# " + option.names()[0] + " "), option.names()[0]);
            }
        }
    }

    @Test
    void shouldHaveAPageThatTellsWhatTheJsonSays() throws IOException
    {
        final Path docs = ProjectFolder.ROOT.resolve("docs");
        final Object tree = Json.read(Files.readString(docs.resolve("benchmarks.json")));
        assertEquals(
            new Report(tree).page(), Files.readString(docs.resolve("benchmarks.md")),
            "write it anew: tests/run benchmark --page");
    }

    @Test
    void shouldShowWhatTheVirtualMachineMeasured() throws IOException
    {
        final Map<String, Object> head = new LinkedHashMap<>();
        for (final String part : List.of("machine", "peers", "run"))
        {
            head.put(part, Map.of());
        }
        head.put("vm", Map.of("ratios", Map.of("GET / READ", 1.0625)));
        final Results results = new Results();
        results.missing("memcached");

        final String page = new Report(Json.read(Json.write(results.tree(head)))).page();

        assertTrue(page.contains("| GET / READ | 1.063 |"), page);
        assertTrue(page.contains("not measured: memcached"), page);
        assertFalse(page.contains("{{"), page);
    }

    @Test
    void shouldWriteWhatItReads() throws IOException
    {
        final String text = Files.readString(ProjectFolder.ROOT.resolve("docs").resolve("benchmarks.json"));
        assertEquals(text, Json.write(Json.read(text)));
    }
}
