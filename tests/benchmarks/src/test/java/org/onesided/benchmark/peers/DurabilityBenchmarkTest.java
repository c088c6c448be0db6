package org.onesided.benchmark.peers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.benchmark.peers.TurnTable.Asked;
import org.onesided.testing.HangGuard;
import org.onesided.testing.JavaCommand;
import org.onesided.testing.ProjectFolder;
import picocli.CommandLine.Option;

class DurabilityBenchmarkTest
{
    private static final int INTERRUPT = 2;
    private static final String ROOT = "--root=" + ProjectFolder.ROOT;

    /** Ctrl-C tells the servers, too. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void shouldLeaveNothingBehindWhenItIsToldToStop(final String signal, @TempDir final Path folder) throws Exception
    {
        assumeFalse(signal.equals("INT") && isInterruptIgnored(), "Ctrl-C is ignored here, as in the background");
        final Process run = new ProcessBuilder(JavaCommand.of(DurabilityBenchmark.class.getName(),
            List.of(ROOT, "--quick", "--rounds=1000", "--only=disk,puts", "--dir=" + folder)))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try
        {
            awaitServer(run, folder);
            final List<ProcessHandle> servers = run.descendants().toList();
            final List<String> command = new ArrayList<>(List.of("kill", "-" + signal, Long.toString(run.pid())));
            if (signal.equals("INT"))
            {
                servers.forEach((server) -> command.add(Long.toString(server.pid())));
            }
            assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
            assertTrue(run.waitFor(HangGuard.seconds(120), TimeUnit.SECONDS), "it does not stop");
            for (final ProcessHandle server : servers)
            {
                server.onExit().get(HangGuard.seconds(60), TimeUnit.SECONDS);
            }
            try (Stream<Path> left = Files.list(folder))
            {
                assertEquals(List.of(), left.toList());
            }
        }
        finally
        {
            run.descendants().forEach(ProcessHandle::destroyForcibly);
            run.destroyForcibly();
        }
    }

    /** Children ignore what their parent ignores. */
    private static boolean isInterruptIgnored() throws IOException
    {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status")))
        {
            return lines.filter((line) -> line.startsWith("SigIgn:"))
                .anyMatch((line) -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1 << INTERRUPT - 1) != 0);
        }
    }

    /** Waits until a server uses its directory. */
    private static void awaitServer(final Process run, final Path folder) throws IOException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(120));
        boolean isThere = false;
        while (!isThere)
        {
            assertTrue(run.isAlive() && System.nanoTime() - endNs < 0, "no server uses a directory");
            try (Stream<Path> files = Files.list(folder))
            {
                isThere = files.anyMatch((file) -> Files.isDirectory(file.resolve("onesided-always/raft")));
            }
        }
    }

    @Tag("full")
    @Test
    void shouldMeasureAndLeaveNothingBehind(@TempDir final Path folder) throws IOException
    {
        final List<Long> before = ProcessHandle.current().children().map(ProcessHandle::pid).toList();
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final PrintStream outBefore = System.out;
        System.setOut(new PrintStream(out, true, UTF_8));
        try
        {
            assertEquals(0, DurabilityBenchmark.run(List.of(ROOT, "--quick", "--dir=" + folder)));
        }
        finally
        {
            System.setOut(outBefore);
        }

        final String text = out.toString(UTF_8);
        for (final String name : List.of("fdatasync of 116 bytes", "onesided, --sync always: 16 clients",
            "onesided, no --data: GET beside 500 puts a second", "puts, always, during a snapshot, 1 client",
            "restart from the log, records a second", "restart from a snapshot, records a second"))
        {
            assertTrue(text.contains("\n| " + name + " | "), name + "\n" + text);
        }
        try (Stream<Path> left = Files.list(folder))
        {
            assertEquals(List.of(), left.toList());
        }
        assertEquals("", ProcessHandle.current().children()
            .filter((child) -> !before.contains(child.pid()))
            .map((child) -> child.info().toString()).collect(Collectors.joining()));
    }

    @ParameterizedTest
    @CsvSource({
        "--only=puts;nonsense, no such part: --only=nonsense",
        "--rounds=0, at least one round is needed: --rounds=0",
        "--dir=/nonexistent/nonsense, no such directory: --dir=/nonexistent/nonsense",
        "--nonsense, Unknown option: '--nonsense'",
    })
    void shouldRefuseInOneLine(final String argument, final String reason)
    {
        final PrintStream before = System.err;
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, UTF_8));
        try
        {
            assertEquals(2, DurabilityBenchmark.run(List.of(ROOT, argument.replace(';', ','))));
        }
        finally
        {
            System.setErr(before);
        }
        final String text = err.toString(UTF_8);
        assertEquals(1, text.lines().count(), text);
        assertTrue(text.startsWith("durability: " + reason), text);
    }

    @Test
    void shouldListEachOptionInTheHelpOfTheScript() throws IOException
    {
        final String script = Files.readString(ProjectFolder.ROOT.resolve("tests/runs/durability.sh"));
        for (final Field field : DurabilityBenchmark.class.getDeclaredFields())
        {
            final Option option = field.getAnnotation(Option.class);
            if (option != null && !option.hidden())
            {
                assertTrue(script.contains("\n# " + option.names()[0] + " "), option.names()[0]);
            }
        }
    }

    @Test
    void shouldCompareTurnsOfTheSameRound()
    {
        final TurnTable table = new TurnTable();
        final double[][] rounds = {{1, 10}, {20, 100}, {300, 1000}};
        for (final double[] round : rounds)
        {
            table.add("ours", Turn.rate(round[0]));
            table.add("theirs", Turn.rate(round[1]));
        }
        table.add("incomplete", Turn.rate(1));
        final ByteArrayOutputStream out = new ByteArrayOutputStream();

        table.printAsked(new PrintStream(out, true, UTF_8), List.of(
            Asked.least("ratio", "ours", "theirs", 0.25), Asked.least("rate", "ours", null, 20),
            Asked.most("rate", "ours", null, Turn::perSecond, 19), Asked.least("x", "ours", "incomplete", 1),
            Asked.least("x", "ours", "never measured", 1)));

        assertEquals(List.of(
            "| asked | bound | reached | range | |",
            "|---|---|---|---|---|",
            "| ratio | at least 0.25 | 0.20 | 0.10 to 0.30 | missed |",
            "| rate | at least 20 | 20 | 1 to 300 | met |",
            "| rate | at most 19 | 20 | 1 to 300 | missed |"), out.toString(UTF_8).lines().toList());
    }
}
