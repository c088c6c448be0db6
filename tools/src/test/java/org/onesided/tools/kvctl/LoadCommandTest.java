package org.onesided.tools.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * The command line of {@code kvctl load}, on a map.
 */
class LoadCommandTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"a, UPDATE", "b, UPDATE", "d, INSERT", "f, READ-MODIFY-WRITE"})
    void shouldShowATableForPeople(final String letter, final String operation)
    {
        final CapturedRun run = run("--workload", letter, "--operations", "2000", "--records", "300");

        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        assertEquals("", run.err());
        for (final String part : new String[]{
            "workload " + letter + ": ", "300 records of 1,000 bytes", "load: 300 operations in ",
            "run: 2,000 operations in ", "operation", "99.9 %", "READ", operation, "values, all right"})
        {
            assertTrue(run.out().contains(part), part + " in " + run.out());
        }
        assertTrue(run.out().lines().allMatch(line -> line.length() <= 80), run.out());
    }

    @Test
    void shouldWriteJson() throws Exception
    {
        final CapturedRun run = run("-w", "b", "--operations", "1000", "--records", "100", "--seed", "5", "-o", "json");

        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        long done = -1;
        try (JsonParser json = new JsonFactory().createParser(run.out()))
        {
            while (json.nextToken() != null)
            {
                if ("done".equals(json.currentName()) && json.currentToken().isNumeric())
                {
                    done = json.getLongValue();
                }
            }
        }
        assertEquals(1000, done);
        assertTrue(run.out().contains("\"command\": [ \"kvctl\", \"load\", \"--store\", \"map\", \"-w\", \"b\","));
        assertTrue(run.out().contains("\"seed\": \"5\""), run.out());
    }

    @ParameterizedTest
    @CsvSource({"plain, false", "version, true", "retry, true"})
    void shouldSayHowReadModifyWritesPut(final String kind, final boolean isShown)
    {
        final String[] arguments = {"-w", "f", "--rmw", kind, "--operations", "1000", "--records", "100"};
        final String table = run(arguments).out();
        final CapturedRun json =
            run(Stream.concat(Stream.of(arguments), Stream.of("-o", "json")).toArray(String[]::new));

        assertEquals(isShown, table.contains("\nread-modify-writes by version, "), table);
        assertEquals(isShown, table.contains("\nconflicts   0\n"), table);
        assertEquals(ExitCode.DONE, json.exitCode(), json.err());
        assertTrue(json.out().contains("\"readModifyWrite\": \"" + kind + "\""), json.out());
        assertTrue(Pattern.compile("\"conflicts\": \\{\\s+\"puts\": 0,\\s+\"givenUp\": 0\\s+}").matcher(json.out())
            .find(), json.out());
    }

    @Test
    void shouldWriteALinePerFigure()
    {
        final CapturedRun run = run("-w", "a", "--operations", "1000", "--records", "100", "-o", "plain");

        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        assertTrue(
            run.out().lines().allMatch(line -> line.matches("(run|load)\t[^\t]+\t(1/s|ns|1)\t[\\d.]+")), run.out());
        assertTrue(run.out().contains("run\toperations/s\t1/s\t"), run.out());
        assertTrue(run.out().contains("run\tREAD p99.9\tns\t"), run.out());
    }

    @Test
    void shouldWriteWhatYcsbsToolsRead()
    {
        final CapturedRun run = run("-w", "a", "--operations", "1000", "--records", "100", "-o", "ycsb",
            "--target", "100000");

        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        final List<String[]> lines = run.out().lines().map(line -> line.split(", ")).toList();
        assertTrue(lines.stream().allMatch(words -> words.length == 3 && words[0].matches("\\[.*]")), run.out());
        lines.forEach(words -> Double.parseDouble(words[2]));
        final Map<String, List<String>> names = lines.stream().collect(Collectors.groupingBy(
            words -> words[0], Collectors.mapping(words -> words[1], Collectors.toList())));
        assertEquals(
            List.of("RunTime(ms)", "Throughput(ops/sec)"), names.get("[OVERALL]"));
        assertEquals(
            List.of("Operations", "AverageLatency(us)", "MinLatency(us)", "MaxLatency(us)",
                "50thPercentileLatency(us)", "95thPercentileLatency(us)", "99thPercentileLatency(us)", "Return=OK"),
            names.get("[READ]"));
        assertTrue(names.containsKey("[Intended-UPDATE]"), run.out());
        assertEquals(1000, lines.stream()
            .filter(words -> words[0].matches("\\[(READ|UPDATE)]") && words[1].equals("Return=OK"))
            .mapToLong(words -> Long.parseLong(words[2])).sum());
    }

    @Test
    void shouldWriteHistogramsThatHdrHistogramReads() throws Exception
    {
        final Path file = directory.resolve("run.hlog");
        final CapturedRun run =
            run("-w", "c", "--operations", "5000", "--records", "100", "--hlog", file.toString());

        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        long reads = 0;
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile()))
        {
            for (EncodableHistogram histogram = reader.nextIntervalHistogram(); histogram != null;
                histogram = reader.nextIntervalHistogram())
            {
                if ("run.READ".equals(histogram.getTag()))
                {
                    reads += ((org.HdrHistogram.Histogram)histogram).getTotalCount();
                }
            }
        }
        assertEquals(5000, reads);
    }

    @Test
    void shouldTakeYcsbsFilesAndLetOptionsCountMore() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("workloadx"), """
            # As YCSB writes them
            recordcount=1000
            operationcount=1000
            workload=site.ycsb.workloads.CoreWorkload
            readallfields=true
            readproportion=0.5
            updateproportion=0.5
            scanproportion=0
            insertproportion=0
            requestdistribution=zipfian
            db.user=me
            """);
        final CapturedRun run =
            run("-P", file.toString(), "-p", "recordcount=200", "-p", "fieldcount=1", "--field-length", "70");

        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        assertEquals("kvctl load: properties without effect here: db.user\n", run.err());
        assertTrue(run.out().contains("workload workloadx: 50 % READ, 50 % UPDATE, ycsb-zipfian"), run.out());
        assertTrue(run.out().contains("200 records of 70 bytes"), run.out());
        assertTrue(run.out().contains("run: 1,000 operations"), run.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "a | updateproportion=0.4 | workload a, changed by properties: ",
        "a | updateproportion=0.5 | workload a: ",
        "C | recordcount=90 | workload c: "})
    void shouldSayWherePropertiesChangeAWorkload(final String letter, final String property, final String head)
        throws Exception
    {
        final Path file = Files.writeString(directory.resolve("workloadx"), property);

        for (final String[] given : new String[][]{{"-P", file.toString()}, {"-p", property}})
        {
            final CapturedRun run = run("-w", letter, given[0], given[1], "--operations", "10");
            assertTrue(run.out().startsWith(head), run.out() + run.err());
        }
    }

    @Test
    void shouldTellAMissedTarget()
    {
        final CapturedRun run = run("-w", "c", "--records", "100", "--operations", "2000", "--target", "1e9");

        assertEquals(ExitCode.DONE, run.exitCode(), run.err());
        assertTrue(Pattern.compile("\ntarget +1,000,000,000/s, reached [0-9,.]+/s\n").matcher(run.out()).find(),
            run.out());
        assertTrue(run.out().contains("READ intended "), run.out());
        assertTrue(run.out().contains("READ service "), run.out());
    }

    @Test
    void shouldHaveOnlyThePhaseAskedFor()
    {
        final CapturedRun load = run("--phase", "load", "--records", "100");

        assertTrue(load.out().contains("load: 100 operations"), load.out());
        assertTrue(!load.out().contains("run: "), load.out());
    }

    @Test
    void shouldFailWhereOperationsFail()
    {
        // Nothing was loaded.
        final CapturedRun run = run("--phase", "run", "--records", "100", "--operations", "50", "-w", "c");

        assertEquals(ExitCode.FAILED, run.exitCode());
        assertEquals("kvctl load: 50 operations failed; keys that are looked up must have been put, by --phase load " +
            "with as many --records\n", run.err());
        assertTrue(run.out().contains("50 READ not-found: user"), run.out());
        assertTrue(run.out().contains(" 0/s (0 done, 50 failed)"), run.out());
    }

    @ParameterizedTest
    @CsvSource({"--hlog", "--report"})
    void shouldRefuseAFileThatCannotBeWrittenBeforeItRuns(final String option)
    {
        final CapturedRun run = run(option, directory.resolve("none/file").toString(), "--duration", "10m");

        assertEquals(ExitCode.FAILED, run.exitCode(), run.err());
        assertTrue(run.err().startsWith("kvctl load: cannot write " + directory + "/none/file: "), run.err());
        assertEquals("", run.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-w e | the store has no scan in the order of keys",
        "-w x | no such workload, choose a, b, c, d or f",
        "-p recordcount=x | recordcount must be a whole number from 1 to 1099511627776: recordcount=x",
        "-p fieldlength | value for option '-p' must be NAME=VALUE: 'fieldlength'",
        "-p workload=com.foo.Bar | workload can only be site.ycsb.workloads.CoreWorkload, leave it out: workload=",
        "--records abc | invalid value for option '--records': 'abc' is not a whole number",
        "--records -5 | --records must be a whole number from 1 to 1099511627776: --records=-5",
        "--records 0 | --records must be a whole number",
        "--threads 0 | --threads must be a whole number from 1 to 4096: --threads=0",
        "--threads 5000 | --threads must be a whole number from 1 to 4096: --threads=5000",
        "--clients 300 | clients are out of range, 1 to 256: --clients=300",
        "--operations 0 | --operations must be above 0, leave it out for as many as there is time for: --operations=0",
        "--target 0 | --target must be above 0, leave it out for as many as possible: --target=0.0",
        "--target -1 | --target must be above 0",
        "--target x | invalid value for option '--target': 'x' is not a number",
        "-o xml | invalid value for option '-o': must be plain, table, json or ycsb: 'xml'",
        "--phase foo | invalid value for option '--phase': must be load, run or both: 'foo'",
        "--field-count 1 --field-length 20 --verify | values below 40 bytes cannot be verified",
        "--clients 2 | a map in a process cannot serve other processes",
        "--rmw cas | no such read-modify-write, choose one of plain, version, retry: --rmw=cas",
        "--rmw version | the workload has no read-modify-writes, choose f or leave --rmw out: workload=b",
        "--ttl 1s | in a map no key expires, use a server or leave --ttl out: --ttl=1000ms",
        "--ttl 1x | not a time: '1x'; write one like 500ms, 10m, 1h30m or 30d: --ttl=1x",
        "--distribution zipf | no such distribution, choose one of uniform, latest, ycsb-zipfian, exact-zipfian"})
    void shouldRefuse(final String arguments, final String message)
    {
        final CapturedRun run = run(arguments.trim().split(" "));

        assertEquals(ExitCode.USAGE, run.exitCode(), run.err());
        assertTrue(run.err().startsWith("kvctl load: " + message), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        assertEquals("", run.out());
    }

    @Test
    void shouldSayWhichFileCannotBeRead()
    {
        final CapturedRun run = run("-P", "/nowhere/at/all");

        assertEquals(ExitCode.FAILED, run.exitCode(), run.err());
        assertEquals("kvctl load: cannot read /nowhere/at/all: no such file or directory\n", run.err());
    }

    @Test
    void shouldSayWhyThereIsNoServer()
    {
        final CapturedRun run = CapturedRun.of("load", "--server", "127.0.0.1:1", "--operations", "1");

        assertEquals(ExitCode.CANNOT_CONNECT, run.exitCode(), run.err());
        assertTrue(run.err().startsWith("kvctl load: "), run.err());
    }

    private static CapturedRun run(final String... arguments)
    {
        return CapturedRun.of(
            Stream.concat(Stream.of("load", "--store", "map"), Stream.of(arguments)).toArray(String[]::new));
    }
}
