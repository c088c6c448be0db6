package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.documentation.Documented;

/**
 * What a newcomer sees first.
 */
class KvctlQuickstartTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldShowPutsGetsTheirReadsAndALoad() throws Exception
    {
        final Path report = directory.resolve("load.html");
        final KvctlCall.Result result = KvctlCall.of("quickstart", "--report", report.toString()).run();

        assertEquals(0, result.exitCode(), result.err());
        assertEquals("", result.err());
        final String out = result.out();
        for (final String part : new String[]{
            "Started a server", "put greeting", "get greeting", "get nobody", "(absent)", "READ", "10,000 lookups",
            "workload b: 95 % READ, 5 % UPDATE", "load: 2,000 operations in", "99.9 %", "values, all right",
            report.toString(), "Stopped the server", "Next:", "kvctl put", "kvctl --help"})
        {
            assertTrue(out.contains(part), part + " in " + out);
        }
        assertTrue(out.lines().allMatch(line -> line.length() <= 80 || line.contains(report.toString())), out);
        assertTrue(Files.readString(report).startsWith("<!"), "no page");
        Documented.assertShown("README.md", "./kvctl quickstart", out);
        // One's own writes are in the mirror: a lookup of them takes one READ.
        final Matcher lookup = Pattern.compile("get greeting .* (\\d+) READs?").matcher(out);
        assertTrue(lookup.find() && Integer.parseInt(lookup.group(1)) <= 2, out);
        final Matcher reads = Pattern.compile("READs +([0-9,]+)\n").matcher(out);
        assertTrue(reads.find(), out);
        assertEquals(10_000, Integer.parseInt(reads.group(1).replace(",", "")), out);
        final Matcher pid = Pattern.compile("process (\\d+)").matcher(out);
        assertTrue(pid.find(), out);
        assertTrue(ProcessHandle.of(Long.parseLong(pid.group(1))).isEmpty(), out);
    }

    @Tag("full")
    @Test
    void shouldSayWhoAnswersLookupsOverTcp() throws Exception
    {
        final String out = KvctlCall.of(
            "quickstart", "--device", "tcp", "--report", directory.resolve("load.html").toString()).run().out();

        assertTrue(out.contains("\nLookups READ the server's memory; a thread of its device tcp answers them:\n"), out);
        // The server, the load, and the server to keep: all that is shown takes the same device.
        assertEquals(3, out.lines().filter(line -> line.contains(" --device tcp")).count(), out);
        assertTrue(out.contains(" --device tcp & a server to keep"), out);
    }

    @Tag("full")
    @Test
    void shouldTellWhyItsServerDoesNotStart() throws Exception
    {
        KvctlCall.of("quickstart", "--memory", "100t").run()
            .assertFailed(1, "kvctl quickstart: the server did not start: ", "larger than this machine");
        KvctlCall.of("quickstart", "--device", "warp").run().assertFailed(1, "did not start: ", "warp");
    }
}
