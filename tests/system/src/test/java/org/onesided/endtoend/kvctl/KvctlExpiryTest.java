package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Times when keys expire, on kvctl's command line.
 */
@Timeout(300)
class KvctlExpiryTest
{
    private static final int USAGE = 2;
    private static final int ABSENT = 3;

    private static KvctlServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() throws Exception
    {
        server = KvctlServer.start("--memory", "64m");
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        server.close();
    }

    @Test
    void shouldGiveTakeAndTellTimes() throws Exception
    {
        done("put", "--ttl", "10m", "session", "1");
        assertTrue(done("ttl", "session").matches("(10m|9m5\\ds)\\n"), done("ttl", "session"));
        done("touch", "session", "1h30m");
        assertTrue(done("ttl", "session").matches("1h(30|29)m\\n"), done("ttl", "session"));
        done("incr", "session");
        done("append", "session", "0");
        done("put", "--if-present", "session", "30");
        assertTrue(done("ttl", "session").matches("1h(30|29)m\\n"), done("ttl", "session"));
        done("incr", "--ttl", "36525d", "session");
        assertTrue(done("ttl", "session").matches("365(25d|24d23h)\\n"), done("ttl", "session"));
        done("append", "--ttl", "2d", "session", "0");
        assertTrue(done("ttl", "-o", "json", "session").matches(
            "\\{\"key\":\"session\",\"has_ttl\":true,\"ttl_ms\":17\\d{7},\"expires_at_ms\":\\d{13}," +
            "\"expires_at\":\"20[-0-9]+T[0-9:.]+Z\"}\\n"), done("ttl", "-o", "json", "session"));
        done("persist", "session");
        assertEquals("never\n", done("ttl", "session"));
        assertEquals("{\"key\":\"session\",\"has_ttl\":false}\n", done("ttl", "-o", "json", "session"));
        done("touch", "session", "1h");
        done("put", "session", "0");
        assertEquals("never\n", done("ttl", "session"));
    }

    @Test
    void shouldTellTheVersionOfAPutWithATime() throws Exception
    {
        final String told = done("put", "--ttl", "1h", "-o", "json", "told", "1");
        assertTrue(told.matches(
            "\\{\"key\":\"told\",\"value_bytes\":1,\"version\":\"[-0-9a-z]+\"," +
            "\"has_ttl\":true,\"ttl_ms\":3600000}\\n"), told);
        done("put", "--if-absent", "--ttl", "1h", "conditional", "1");
        assertTrue(!done("ttl", "conditional").equals("never\n"));
        assertEquals(5, kvctl("put", "--if-absent", "--ttl", "1h", "conditional", "1").runHere().exitCode());
        assertEquals("{\"key\":\"told\",\"ttl_ms\":2000}\n", done("touch", "-o", "json", "told", "2s"));
    }

    @Test
    void shouldNamePersistToWhoeverTouchesForEver()
    {
        kvctl("touch", "session", "never").runHere().assertFailed(USAGE,
            "kvctl touch: invalid value for positional parameter at index 1 (TIME): " +
            "kvctl persist lets a key stay for ever, kvctl touch does not: 'never'; see kvctl touch --help");
    }

    /** In one step, where the server would give the key a time. */
    @Test
    void shouldPutForEver() throws Exception
    {
        try (KvctlServer mortal = KvctlServer.start("--memory", "64m", "--default-ttl", "12h", "--evict", "density"))
        {
            assertTrue(mortal.readyLine().endsWith(" evict=density default-ttl=12h"), mortal.readyLine());
            final String stats = done(mortal, "stats");
            assertTrue(stats.contains("\nevict       density\ndefault ttl 12h\n"), stats);
            final String put = done(mortal, "put", "--ttl", "never", "-o", "json", "stays", "1");
            assertTrue(put.contains("\"has_ttl\":false"), put);
            done(mortal, "mput", "--ttl", "never", "one", "1", "two", "2");
            done(mortal, "mput", "--ttl", "30d", "three", "3");
            done(mortal, "mput", "four", "4");
            for (final String key : List.of("stays", "one", "two"))
            {
                assertEquals("never\n", done(mortal, "ttl", key));
            }
            assertTrue(done(mortal, "ttl", "three").matches("(30d|29d23h)\\n"), done(mortal, "ttl", "three"));
            assertTrue(done(mortal, "ttl", "four").matches("1[12]h.*\\n"), done(mortal, "ttl", "four"));
            done(mortal, "incr", "--ttl", "never", "four");
            assertEquals("never\n", done(mortal, "ttl", "four"));
        }
    }

    @ParameterizedTest
    @CsvSource({"touch, touch nobody 1s", "persist, persist nobody", "ttl, ttl nobody"})
    void shouldSayThatAKeyIsAbsent(final String command, final String line)
    {
        kvctl(line.split(" ")).runHere().assertFailed(ABSENT, "kvctl " + command + ": not found: nobody");
    }

    @Test
    void shouldCountKeysThatExpire() throws Exception
    {
        done("put", "--ttl", "1h", "counted", "1");
        final String out = done("stats", "-o", "json");
        assertTrue(out.matches("(?s).*\"records_expiring\": ?[1-9].*\"expired\": ?\\d.*"), out);
    }

    @Test
    void shouldShowTimesInATable() throws Exception
    {
        try (KvctlServer own = KvctlServer.start("--memory", "64m"))
        {
            Files.writeString(directory.resolve("pairs.tsv"), "dies\t1\texpires=29348006399123\nstays\t22\n");
            done(own, "import", directory.resolve("pairs.tsv").toString());
            final String version = "[0-9a-z]+-[0-9a-z]+";
            final String times = done(own, "export", "-o", "table", "--expiries");
            assertTrue(times.contains("key    value  size     expires\n"), times);
            assertTrue(times.contains("dies   1      1 byte   2899-12-31T23:59:59.123Z\n"), times);
            assertTrue(times.contains("stays  22     2 bytes  never\n"), times);
            final String all = done(own, "export", "-o", "table", "--expiries", "--versions");
            assertTrue(all.matches("(?s)key    value  size     version +expires\n.*"), all);
            assertTrue(all.matches("(?s).*\nstays  22     2 bytes  " + version + "  never\n.*"), all);
            assertTrue(all.matches("(?s).*\ndies   1      1 byte   " + version + "  2899-12-31T23:59:59.123Z\n.*"),
                all);
            assertTrue(!done(own, "export", "-o", "table").contains("never"));
        }
    }

    @ParameterizedTest
    @CsvSource({"tsv", "jsonl"})
    void shouldCarryTimesByExportAndImport(final String form) throws Exception
    {
        final Path file = directory.resolve("pairs." + form);
        try (KvctlServer first = KvctlServer.start("--memory", "64m"))
        {
            done(first, "put", "--ttl", "1h", "dies", "1");
            done(first, "put", "stays", "2");
            done(first, "export", file.toString());
            assertTrue(!Files.readString(file).contains("expires"), Files.readString(file));
            done(first, "export", "--expiries", "--versions", file.toString());
        }
        final List<String> lines = Files.readAllLines(file);
        assertEquals(1, lines.stream().filter(line -> line.contains("expires")).count(), lines.toString());
        Files.writeString(file, Files.readString(file) +
            (form.equals("tsv") ? "over\t3\texpires=1500\n" : "{\"expires\":1500,\"key\":\"over\",\"value\":\"3\"}\n"));
        // The server's time is for keys that say nothing.
        try (KvctlServer second = KvctlServer.start("--memory", "64m", "--default-ttl", "12h"))
        {
            final KvctlCall.Result result = kvctl(second, "import", file.toString()).runHere();
            assertEquals(0, result.exitCode(), result.err());
            assertEquals("kvctl import: 2 pairs imported, 11 bytes; 1 expired, not imported\n", result.err());
            assertTrue(done(second, "ttl", "dies").matches("(59m\\d+s|1h)\\n"), done(second, "ttl", "dies"));
            assertTrue(done(second, "ttl", "stays").matches("1[12]h.*\\n"), done(second, "ttl", "stays"));
            assertEquals(ABSENT, kvctl(second, "get", "over").runHere().exitCode());
            assertEquals("{\"pairs\":2,\"bytes\":11,\"expired\":1,\"broken_lines\":0}\n",
                done(second, "import", "-o", "json", file.toString()));
            done(second, "import", "--ttl", "never", file.toString());
            assertTrue(done(second, "ttl", "dies").matches("(59m\\d+s|1h)\\n"), done(second, "ttl", "dies"));
            assertEquals("never\n", done(second, "ttl", "stays"));
        }
    }

    @Test
    void shouldPutWithATimeUnderLoad() throws Exception
    {
        final String out = done("load", "-w", "a", "--ttl", "50ms", "--records", "500", "--operations", "3000",
            "--threads", "2");
        assertTrue(out.contains("\nkeys live for 50ms\n"), out);
    }

    private static String done(final String... arguments)
    {
        return done(server, arguments);
    }

    private static String done(final KvctlServer of, final String... arguments)
    {
        final KvctlCall.Result result = kvctl(of, arguments).runHere();
        assertEquals(0, result.exitCode(), result.err());
        return result.out();
    }

    private static KvctlCall kvctl(final String... arguments)
    {
        return kvctl(server, arguments);
    }

    private static KvctlCall kvctl(final KvctlServer of, final String... arguments)
    {
        return KvctlCall.of(arguments).to(of);
    }
}
