package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store on disk, as its operator meets it.
 */
class KvctlDataTest
{
    private static final String DATA = "--data";

    @TempDir
    private Path directory;

    private KvctlServer start(final String... options) throws Exception
    {
        final String[] all = new String[options.length + 2];
        all[0] = DATA;
        all[1] = data().toString();
        System.arraycopy(options, 0, all, 2, options.length);
        return KvctlServer.start(all);
    }

    private Path data()
    {
        return directory.resolve("store");
    }

    /** A busy disk may take more than the default of 5 s for a long value. */
    private static KvctlCall call(final KvctlServer server, final String... command)
    {
        return KvctlCall.of(command).to(server).with("KVCTL_DEADLINE", "60s");
    }

    private static KvctlCall.Result run(final KvctlServer server, final String... command) throws Exception
    {
        return call(server, command).runHere();
    }

    private static String done(final KvctlServer server, final String... command) throws Exception
    {
        final KvctlCall.Result result = run(server, command);
        assertEquals(0, result.exitCode(), result.err());
        return result.out();
    }

    /** What a start or a command says that is refused. */
    private static String refused(final int exitCode, final String... command) throws Exception
    {
        final KvctlCall.Result result = KvctlCall.of(command).runHere();
        assertEquals(exitCode, result.exitCode(), result.err());
        final List<String> lines = result.err().lines().filter((line) -> line.startsWith("kvctl ")).toList();
        assertEquals(1, lines.size(), result.err());
        return lines.get(0);
    }

    @Test
    void shouldKeepWhatWasAcknowledgedOverAKill() throws Exception
    {
        final byte[] large = new byte[3_000_000];
        new Random(1).nextBytes(large);
        try (KvctlServer server = start("--shards", "2"))
        {
            done(server, "put", "a", "1");
            done(server, "incr", "count");
            done(server, "incr", "count");
            done(server, "put", "gone", "1");
            done(server, "delete", "gone");
            done(server, "put", "short", "1", "--ttl", "1ms");
            done(server, "put", "long", "1", "--ttl", "1d");
            assertEquals(0, call(server, "put", "large", "-").input(large).runHere().exitCode());
            server.signal("KILL");
            server.await();
        }
        // The directory knows how many shards there are.
        try (KvctlServer server = start())
        {
            assertEquals("1", done(server, "get", "a"));
            assertEquals("3", done(server, "incr", "count", "-o", "plain").strip().lines().findFirst().orElse(""));
            assertEquals(3, run(server, "get", "gone").exitCode());
            assertEquals(3, run(server, "get", "short").exitCode());
            assertEquals("1", done(server, "get", "long"));
            assertEquals(0, run(server, "ttl", "long").exitCode());
            assertArrayEquals(large, call(server, "get", "large").runHere().outBytes());
            assertTrue(done(server, "snapshot", "-o", "plain").contains("shards 2"));
            done(server, "put", "a", "2");
            server.signal("KILL");
            server.await();
        }
        final KvctlCall.Result verified = KvctlCall.of("data", "verify", data().toString()).runHere();
        assertEquals(0, verified.exitCode(), verified.err());
        try (KvctlServer server = start())
        {
            assertEquals("2", done(server, "get", "a"));
            assertArrayEquals(large, call(server, "get", "large").runHere().outBytes());
        }
    }

    @Test
    void shouldRefuseADirectoryInOneLine() throws Exception
    {
        final String used;
        try (KvctlServer server = start("--shards", "2"))
        {
            done(server, "put", "a", "1");
            used = refused(1, "server", "--listen", "127.0.0.1:0", "--memory", "64m", DATA, data().toString());
            assertTrue(used.contains("in use by a running server"), used);
            final String verify = refused(1, "data", "verify", data().toString());
            assertTrue(verify.contains("in use by a running server"), verify);
        }
        final String shards = refused(
            1, "server", "--listen", "127.0.0.1:0", "--memory", "64m", "--shards", "3", DATA, data().toString());
        assertTrue(shards.contains("shards=2 wanted=3"), shards);

        final Path foreign = Files.createDirectories(directory.resolve("foreign"));
        Files.writeString(foreign.resolve("precious"), "1");
        final String other = refused(
            1, "server", "--listen", "127.0.0.1:0", "--memory", "64m", DATA, foreign.toString());
        assertTrue(other.contains("holds something else"), other);
        assertEquals(List.of("precious"), List.of(foreign.toFile().list()));

        final String sync = refused(2, "server", "--sync", "interval");
        assertTrue(sync.contains(DATA), sync);
        final String tail = refused(2, "server", "--discard-tail");
        assertTrue(tail.contains(DATA), tail);
        final String word = refused(2, "server", "--sync", "sometimes");
        assertTrue(word.contains("always or interval"), word);
    }

    @Test
    void shouldRefuseADamagedLogAndStartWithoutItsTailWhenTold() throws Exception
    {
        try (KvctlServer server = start())
        {
            done(server, "put", "first", "1");
            done(server, "put", "second", "2");
            done(server, "put", "third", "3");
            server.signal("KILL");
            server.await();
        }
        final Path log;
        try (Stream<Path> files = Files.walk(data()))
        {
            log = files.filter((file) -> file.getFileName().toString().startsWith("log_inprogress"))
                .findFirst().orElseThrow();
        }
        final byte[] bytes = Files.readAllBytes(log);
        final int second = new String(bytes, ISO_8859_1).indexOf("second");
        bytes[second] ^= 1;
        Files.write(log, bytes, StandardOpenOption.TRUNCATE_EXISTING);

        final String damaged = refused(
            1, "server", "--listen", "127.0.0.1:0", "--memory", "64m", DATA, data().toString());
        assertTrue(damaged.contains(log.getFileName().toString()) && damaged.contains("--discard-tail"), damaged);
        assertEquals(1, KvctlCall.of("data", "verify", data().toString()).runHere().exitCode());

        try (KvctlServer server = start("--discard-tail"))
        {
            assertEquals("1", done(server, "get", "first"));
            assertEquals(3, run(server, "get", "second").exitCode());
            assertEquals(3, run(server, "get", "third").exitCode());
            assertTrue(server.log().contains("log was repaired"), server.log());
        }
        assertEquals(0, KvctlCall.of("data", "verify", data().toString()).runHere().exitCode());
    }

    @Test
    void shouldStartInTheOtherMode() throws Exception
    {
        try (KvctlServer server = start("--sync", "interval"))
        {
            done(server, "put", "a", "1");
            assertTrue(done(server, "stats").contains("takes no writes"));
            assertFalse(server.log().contains("ERROR"), server.log());
        }
        try (KvctlServer server = start("--sync", "always"))
        {
            assertEquals("1", done(server, "get", "a"));
        }
    }
}
