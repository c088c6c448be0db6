package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kvctl backup} and {@code kvctl restore}.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlBackupTest
{
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int CANNOT_CONNECT = 4;

    @TempDir
    private Path folder;

    private KvctlServer start(final String data, final String... more) throws Exception
    {
        final String[] options = Stream.concat(
            Stream.of("--data", folder.resolve(data).toString(), "--shards", "2"), Stream.of(more))
            .toArray(String[]::new);
        return KvctlServer.start(options);
    }

    private String path(final String name)
    {
        return folder.resolve(name).toString();
    }

    private static KvctlCall.Result kvctl(final KvctlServer server, final String... arguments)
    {
        return KvctlCall.of(arguments).to(server).runHere();
    }

    private static KvctlCall.Result kvctl(final String... arguments)
    {
        return KvctlCall.of(arguments).runHere();
    }

    private static void assertTold(final KvctlCall.Result result, final String what)
    {
        assertEquals(0, result.exitCode(), result.err());
        assertEquals(1, result.err().lines().count(), result.err());
        assertTrue(result.err().contains(what), result.err());
    }

    @Test
    void shouldCopyATableToAnotherServer() throws Exception
    {
        final byte[] big = new byte[300_000];
        new Random(1).nextBytes(big);
        try (KvctlServer server = start("data"))
        {
            kvctl(server, "put", "a", "1").assertDone();
            KvctlCall.of("put", "big", "-").input(big).to(server).runHere().assertDone();
            assertTold(kvctl(server, "backup", path("a.backup")), "kvctl backup: 2 records, ");
            final String json = kvctl(server, "backup", "-o", "json", path("a.backup")).assertDone().out();
            assertTrue(json.contains("\"records\":2,") && json.contains("\"shards\":2,"), json);
            final KvctlCall.Result piped = kvctl(server, "backup", "-");
            assertTold(piped, "kvctl backup: ");
            Files.write(folder.resolve("piped.backup"), piped.outBytes());
        }
        assertTold(kvctl("restore", path("a.backup"), "--verify"), "2 records, ");
        assertTold(kvctl("restore", path("a.backup"), "--data", path("restored")), "kvctl restore: 2 records, ");
        assertTold(
            KvctlCall.of("restore", "-", "--data", path("piped"), "--shards", "3")
                .input(Files.readAllBytes(folder.resolve("piped.backup"))).runHere(),
            "kvctl restore: 2 records, ");
        try (Stream<Path> files = Files.list(folder))
        {
            assertTrue(files.noneMatch((file) -> file.getFileName().toString().contains(".part")));
        }
        for (final String data : new String[]{"restored", "piped"})
        {
            try (KvctlServer server = KvctlServer.start("--data", path(data)))
            {
                assertEquals("1", kvctl(server, "get", "a").assertDone().out());
                assertArrayEquals(big, kvctl(server, "get", "big").assertDone().outBytes());
            }
            assertEquals(0, kvctl("data", "verify", path(data)).exitCode());
        }
    }

    @Test
    void shouldRefuseWhatItCannotRestore() throws Exception
    {
        try (KvctlServer server = start("data"))
        {
            kvctl(server, "put", "a", "1").assertDone();
            assertTold(kvctl(server, "backup", path("a.backup")), "1 record, ");
            kvctl("restore", path("a.backup"), "--data", path("data"))
                .assertFailed(FAILED, "holds a table already", path("data"));
        }
        final byte[] bytes = Files.readAllBytes(folder.resolve("a.backup"));
        Files.write(folder.resolve("cut.backup"), Arrays.copyOf(bytes, bytes.length - 1));
        kvctl("restore", path("cut.backup"), "--data", path("no")).assertFailed(FAILED, "not whole");
        bytes[bytes.length / 2] ^= 8;
        Files.write(folder.resolve("bad.backup"), bytes);
        kvctl("restore", path("bad.backup"), "--verify").assertFailed(FAILED, "damaged", "offset=");
        kvctl("restore", path("bad.backup"), "--data", path("no")).assertFailed(FAILED, "damaged");
        KvctlCall.of("restore", "-", "--data", path("no")).input(bytes).runHere().assertFailed(FAILED, "damaged");
        kvctl("restore", path("none.backup"), "--data", path("no")).assertFailed(FAILED, "there is no such backup");
        assertFalse(Files.exists(folder.resolve("no")));

        kvctl("restore", path("a.backup")).assertFailed(USAGE, "--data", "--verify");
        kvctl("restore", path("a.backup"), "--verify", "--data", path("no")).assertFailed(USAGE, "--verify");
        kvctl("restore", path("a.backup"), "--data", path("no"), "--shards", "0").assertFailed(USAGE, "--shards=0");
    }

    @Test
    void shouldTellWhyThereIsNoBackup() throws Exception
    {
        try (KvctlServer server = KvctlServer.start())
        {
            kvctl(server, "backup", path("a.backup")).assertFailed(FAILED, "memory only", "kvctl export", "--data");
        }
        Files.writeString(folder.resolve("token"), "sesame");
        Files.writeString(folder.resolve("wrong"), "other");
        try (KvctlServer server = start("data", "--token-file", path("token")))
        {
            final String[] good = {"--token-file", path("token")};
            kvctl(server, "put", good[0], good[1], "a", "1").assertDone();
            kvctl(server, "backup", "--token-file", path("wrong"), path("a.backup"))
                .assertFailed(CANNOT_CONNECT, "token");
            kvctl(server, "backup", good[0], good[1], "/dev/full").assertFailed(FAILED, "cannot write /dev/full");
            kvctl(server, "backup", good[0], good[1], path("none/a.backup")).assertFailed(FAILED, "cannot write");
            kvctl(server, "backup", good[0], good[1], "-o", "json", "-").assertFailed(USAGE, "standard output");
        }
        assertFalse(Files.exists(folder.resolve("a.backup")));
    }
}
