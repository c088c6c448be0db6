package org.onesided.tools.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.tools.kvctl.console.ExitCode;

final class LoadReportTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldWriteAReportOfARun() throws IOException
    {
        final Path report = folder.resolve("report.html");
        final CapturedRun run = load("--report", report.toString());
        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        assertTrue(run.err().contains("report written, open it in a browser: " + report + "\n"), run.err());
        final String page = Files.readString(report);
        assertTrue(page.startsWith("<!DOCTYPE html>") && page.endsWith("</html>\n"));
        assertTrue(page.contains("\"command\":[\"kvctl\",\"load\",\"--store\",\"map\","), "the exact command");
        assertEquals(List.of("report.html"), names());
    }

    @Test
    void shouldCompareResults() throws IOException
    {
        final String first = result("a.json");
        final String second = result("b.json");
        final Path report = folder.resolve("report.html");
        final CapturedRun run = CapturedRun.of("load", "compare", first, second, "--report", report.toString());
        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        assertEquals("kvctl load compare: report written, open it in a browser: " + report + "\n", run.err());
        final String head = run.out().lines().findFirst().orElseThrow();
        assertTrue(head.endsWith(first + "  " + second) || head.matches(".*a\\.json +/.*b\\.json"), head);
        assertTrue(run.out().lines().anyMatch(line -> line.startsWith("run    READ p99 ")), run.out());
        final String page = Files.readString(report);
        assertTrue(page.contains("\"label\":\"" + first + "\"") && page.contains("\"label\":\"" + second + "\""));
    }

    @Test
    void shouldCompareWithoutAReport() throws IOException
    {
        final String first = result("a.json");
        final CapturedRun run = CapturedRun.of("load", "compare", first, first, "-o", "json");
        assertEquals(ExitCode.DONE, run.exitCode());
        assertTrue(run.out().startsWith("{\"runs\":[\"" + first + "\",\"" + first + " (2)\"],") &&
            run.out().endsWith("]}\n"), run.out());
        assertEquals(run.out(), CapturedRun.with(
            Map.of("KVCTL_OUTPUT", "json"), new byte[0], "load", "compare", first, first).out());
        assertEquals(List.of("a.json"), names());
    }

    @Test
    void shouldSeeBeforeTheRunThatTheReportCannotBeWritten() throws IOException
    {
        final String report = folder.resolve("nowhere").resolve("report.html").toString();
        final CapturedRun run = load("--report", report);
        assertEquals(ExitCode.FAILED, run.exitCode());
        assertEquals("kvctl load: cannot write " + report + ": no such file or directory\n", run.err());
        assertEquals("", run.out());
    }

    @Test
    void shouldTellOfAResultThatIsNotThere()
    {
        final String missing = folder.resolve("missing.json").toString();
        final CapturedRun run = CapturedRun.of("load", "compare", missing);
        assertEquals(ExitCode.FAILED, run.exitCode());
        assertTrue(run.err().endsWith("cannot read " + missing + ": no such file or directory\n"), run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello\n", "{\n", "{\"format\": \"onesided-load/1\"}", "{\"format\": \"a\\nb\"}"})
    void shouldRefuseWhatIsNoResult(final String content) throws IOException
    {
        final Path file = Files.writeString(folder.resolve("file.json"), content);
        final Path report = folder.resolve("report.html");
        final CapturedRun run = CapturedRun.of("load", "compare", file.toString(), "--report", report.toString());
        assertEquals(ExitCode.FAILED, run.exitCode());
        assertEquals(1, run.err().lines().count(), run.err());
        assertFalse(Files.exists(report));
    }

    @Test
    void shouldHelpWithTwoExamples()
    {
        final List<String> lines = CapturedRun.of("load", "compare", "--help").out().lines().toList();
        final List<String> examples = lines.subList(lines.indexOf("Examples:") + 1, lines.size());
        assertEquals(2, examples.size());
        assertTrue(examples.stream().allMatch(line -> line.contains("kvctl load compare ")), examples::toString);
        assertTrue(lines.stream().allMatch(line -> line.length() <= 80), lines::toString);
    }

    private String result(final String name) throws IOException
    {
        final CapturedRun run = load("-o", "json");
        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        return Files.write(folder.resolve(name), run.outBytes()).toString();
    }

    private static CapturedRun load(final String... more)
    {
        final String[] arguments = new String[]{
            "load", "--store", "map", "--workload", "b", "--records", "500", "--operations", "2000"};
        final String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return CapturedRun.of(all);
    }

    private List<String> names() throws IOException
    {
        try (var files = Files.list(folder))
        {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
