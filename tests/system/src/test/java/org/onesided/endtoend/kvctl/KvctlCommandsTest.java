package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Single commands against a server in another process.
 */
class KvctlCommandsTest
{
    private static final int MAX_VALUE_LENGTH = 64 << 20;

    private static KvctlServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() throws Exception
    {
        server = KvctlServer.start("--memory", "256m", "--shards", "2");
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        server.close();
    }

    @Test
    void shouldGetWhatWasPut() throws Exception
    {
        assertEquals("", kvctl("put", "greeting", "Good morning").run().assertDone().out());
        assertEquals("Good morning", kvctl("get", "greeting").run().assertDone().out());

        kvctl("put", "greeting", "").runHere().assertDone();
        assertEquals("", kvctl("get", "greeting").runHere().assertDone().out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"schlüssel", "漢字 😀", "\uFFFD", "-", "@file", " ", "a\nb\tc"})
    void shouldTakeAnyTextAsKeyAndValue(final String text) throws Exception
    {
        kvctl("put", text, "." + text).runHere().assertDone();
        assertEquals("." + text, kvctl("get", text).runHere().assertDone().out());
        kvctl("delete", text).runHere().assertDone();
    }

    @Test
    void shouldTakeTextThatBeginsWithADashBehindTwo() throws Exception
    {
        kvctl("put", "--", "--key", "-value").runHere().assertDone();
        assertEquals("-value", kvctl("get", "--", "--key").runHere().assertDone().out());
    }

    @Tag("full")
    @Test
    void shouldDecodeArgumentsInAnyLocale() throws Exception
    {
        kvctl("put", "mañana", "né").with("LC_ALL", "POSIX").run().assertDone();

        assertEquals("né", kvctl("get", "mañana").run().assertDone().out());
    }

    @Test
    void shouldRefuseAnArgumentThatIsNotUtf8() throws Exception
    {
        KvctlCall.ofScript("\"$@\" put key \"$(printf 'caf\\351')\"").to(server).run()
            .assertFailed(2, "argument 3 is not valid UTF-8", "kvctl put KEY -");
        KvctlCall.ofScript("\"$@\" get \"$(printf '\\377')\"").to(server).with("LC_ALL", "POSIX").run()
            .assertFailed(2, "argument 2 is not valid UTF-8");
    }

    @Test
    void shouldPutExactlyStandardInput() throws Exception
    {
        final byte[] value = new byte[100_000];
        new Random(7).nextBytes(value);

        kvctl("put", "bytes", "-").input(value).run().assertDone();
        assertArrayEquals(value, kvctl("get", "bytes").run().assertDone().outBytes());

        kvctl("put", "nothing", "-").runHere().assertDone();
        assertEquals("", kvctl("get", "nothing").runHere().assertDone().out());

        kvctl("put", "line", "-").input("one\r\n").runHere().assertDone();
        assertEquals("one\r\n", kvctl("get", "line").runHere().assertDone().out());
    }

    @Tag("full")
    @Test
    void shouldCarryTheLongestValueAndKey() throws Exception
    {
        final byte[] value = new byte[MAX_VALUE_LENGTH];
        new Random(8).nextBytes(value);
        final String key = "k".repeat(4096);

        kvctl("put", key, "-").input(value).run().assertDone();
        assertArrayEquals(value, kvctl("get", key).run().assertDone().outBytes());
        kvctl("delete", key).run().assertDone();
    }

    @Test
    void shouldRefuseAValueOrKeyBeyondTheLimits() throws Exception
    {
        kvctl("put", "large", "-").input(new byte[MAX_VALUE_LENGTH + 1]).runHere()
            .assertFailed(2, "too long", "longest=67108864");
        kvctl("get", "large").runHere().assertFailed(3, "not found: large");
        for (final String command : new String[]{"get", "delete"})
        {
            kvctl(command, "k".repeat(4097)).runHere().assertFailed(2, "kvctl " + command + ": ", "key", "4096");
        }
        kvctl("put", "k".repeat(4097), "v").runHere().assertFailed(2, "kvctl put: ", "key", "4096");
        kvctl("put", "", "v").runHere().assertFailed(2, "the key is empty");
    }

    @Test
    void shouldTellThatAKeyIsNotThere() throws Exception
    {
        kvctl("get", "nobody").runHere().assertFailed(3, "kvctl get: not found: nobody");
        kvctl("get", "no\nbody").runHere().assertFailed(3, "kvctl get: not found: no\\nbody");
        kvctl("delete", "nobody").runHere().assertFailed(3, "kvctl delete: not found: nobody");
    }

    @Test
    void shouldDeleteWhatIsThereAndNameWhatIsNot() throws Exception
    {
        kvctl("put", "first", "1").runHere().assertDone();
        kvctl("put", "third", "3").runHere().assertDone();

        kvctl("delete", "first", "second", "third").runHere().assertFailed(3, "kvctl delete: not found: second");

        kvctl("get", "first").runHere().assertFailed(3, "not found");
        kvctl("get", "third").runHere().assertFailed(3, "not found");
    }

    @Test
    void shouldDeleteNothingIfOneKeyIsWrong() throws Exception
    {
        kvctl("put", "kept", "1").runHere().assertDone();

        kvctl("delete", "kept", "").runHere().assertFailed(2, "the key is empty");
        kvctl("delete", "kept", "k".repeat(4097)).runHere().assertFailed(2, "the key is too long", "longest=4096");

        assertEquals("1", kvctl("get", "kept").runHere().assertDone().out());
    }

    @Test
    void shouldTellHowManyReadsALookupTook() throws Exception
    {
        kvctl("put", "counted", "1").runHere().assertDone();

        final KvctlCall.Result result = kvctl("get", "--verbose", "counted").runHere();

        assertEquals(0, result.exitCode());
        assertEquals("1", result.out());
        assertTrue(result.err().contains("kvctl get: 2 READs (1 of buckets, 1 of records)"), result.err());
    }

    @Test
    void shouldTellTheDeviceAndWhyItWasChosenWhenAsked() throws Exception
    {
        kvctl("put", "asked", "1").runHere().assertDone();

        final KvctlCall.Result result = kvctl("get", "--verbose", "asked").run();

        assertEquals(0, result.exitCode());
        assertTrue(result.err().contains("device=shm: the first that can be used"), result.err());
        assertEquals("", kvctl("get", "asked").run().assertDone().err());
    }

    @Test
    void shouldShowStatisticsInAllAndPerShard() throws Exception
    {
        kvctl("put", "statistic", "1").runHere().assertDone();

        final String out = kvctl("stats").runHere().assertDone().out();

        assertTrue(out.contains("server      " + server.address() + "\n"), out);
        assertTrue(out.contains("device      shm\n"), out);
        assertTrue(out.contains("shards      2\n"), out);
        for (final String row : new String[]{
            "total", "shard 0", "shard 1", "records", "buckets", "heap", "puts", "deletes", "gets by request",
            "refused", "sessions", "READs", "all clients, as they report", "READs per GET", "bytes READ"})
        {
            assertTrue(out.contains(row), row + " in " + out);
        }
        assertTrue(out.lines().allMatch(line -> line.length() <= 80), out);
    }

    @Test
    void shouldTakeOptionsBeforeAndBehindTheCommand() throws Exception
    {
        KvctlCall.of("--server", server.address(), "put", "placed", "1").runHere().assertDone();
        assertEquals("1", KvctlCall.of("get", "placed", "--server", server.address()).runHere().assertDone().out());
        // Behind counts more than before, and both more than the environment.
        assertEquals("1", KvctlCall.of("--server", "127.0.0.1:1", "get", "--server", server.address(), "placed")
            .with("KVCTL_SERVER", "127.0.0.1:2").runHere().assertDone().out());
        KvctlCall.of("get", "placed").with("KVCTL_SERVER", "127.0.0.1:2").runHere().assertFailed(4, "127.0.0.1:2");
    }

    @Tag("full")
    @Test
    void shouldEndQuietlyWhenNobodyReadsAnyMore() throws Exception
    {
        kvctl("put", "long", "-").input(new byte[10 << 20]).run().assertDone();

        final KvctlCall.Result result =
            KvctlCall.ofScript("\"$@\" get long | head -c 1 >/dev/null").to(server).run();

        assertEquals(0, result.exitCode());
        assertEquals("", result.err());
    }

    @Tag("full")
    @Test
    void shouldTellThatStandardOutputCannotBeWritten() throws Exception
    {
        kvctl("put", "small", "1").run().assertDone();

        KvctlCall.ofScript("\"$@\" get small >/dev/full").to(server).run()
            .assertFailed(1, "cannot write to standard output: No space left on device");
        KvctlCall.ofScript("\"$@\" get small >&-").to(server).run()
            .assertFailed(1, "cannot write to standard output: ");
    }

    @Tag("full")
    @Test
    void shouldPutWhatAFileHolds() throws Exception
    {
        final Path file = Files.write(directory.resolve("photo"), new byte[]{0, -1, 10, 13, 26});

        final KvctlCall.Result put =
            KvctlCall.ofScript("\"$@\" put photo - <" + file).to(server).run();

        put.assertDone();
        assertArrayEquals(Files.readAllBytes(file), kvctl("get", "photo").run().assertDone().outBytes());
    }

    private static KvctlCall kvctl(final String... arguments)
    {
        return KvctlCall.of(arguments).to(server);
    }
}
