package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a client may do on kvctl's command line whose token is in --read-tokens-file.
 */
@Timeout(300)
class KvctlReadOnlyTest
{
    private static final int READ_ONLY = 10;

    @TempDir
    private static Path directory;
    private static KvctlServer server;

    @BeforeAll
    static void startServer() throws Exception
    {
        final Path writers = Files.writeString(directory.resolve("writers"), "batch:writer-secret\n");
        final Path readers = Files.writeString(directory.resolve("readers"), "reports:reader-secret\n");
        server = KvctlServer.start("--tokens-file", writers.toString(), "--read-tokens-file", readers.toString(),
            "--data", directory.resolve("data").toString());
        kvctl("writer-secret", "put", "key", "value").runHere().assertDone();
        kvctl("writer-secret", "put", "number", "17").runHere().assertDone();
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        server.close();
    }

    @Test
    void shouldRefuseEachChange() throws Exception
    {
        final Path large = Files.write(directory.resolve("large"), new byte[1 << 20]);
        for (final List<String> change : List.of(
            List.of("put", "key", "other"),
            List.of("put", "new", "other"),
            List.of("put", "--if-absent", "new", "other"),
            List.of("put", "--if-present", "key", "other"),
            List.of("put", "--ttl", "1h", "key", "other"),
            List.of("delete", "key"),
            List.of("getdel", "key"),
            List.of("incr", "number"),
            List.of("append", "key", "more"),
            List.of("touch", "key", "1h"),
            List.of("persist", "key"),
            List.of("mput", "a", "1", "b", "2"),
            List.of("mput", "--ttl", "1h", "a", "1", "b", "2"),
            List.of("snapshot")))
        {
            kvctl("reader-secret", change.toArray(String[]::new)).runHere().assertFailed(
                READ_ONLY, "kvctl " + change.get(0) + ": ", "client may only look up at this server");
        }
        kvctl("reader-secret", "put", "key", "-").input(Files.readAllBytes(large)).runHere()
            .assertFailed(READ_ONLY, "client may only look up at this server");
        kvctl("reader-secret", "import", "-").input("a\t1\n").runHere()
            .assertFailed(READ_ONLY, "standard input:1: ", "client may only look up at this server");
        kvctl("reader-secret", "backup", directory.resolve("backup").toString()).runHere()
            .assertFailed(READ_ONLY, "client may only look up at this server", "kvctl export");

        final List<String> pairs = new ArrayList<>(kvctl("writer-secret", "export").runHere().out().lines().toList());
        pairs.sort(null);
        assertEquals(List.of("key\tvalue", "number\t17"), pairs);
        assertEquals("never\n", kvctl("writer-secret", "ttl", "key").runHere().assertDone().out());
    }

    @Test
    void shouldLookUpInAllWays() throws Exception
    {
        assertEquals("value", kvctl("reader-secret", "get", "key").runHere().assertDone().out());
        assertEquals("key\tvalue\nnumber\t17\n",
            kvctl("reader-secret", "mget", "key", "number").runHere().assertDone().out());
        assertEquals("never\n", kvctl("reader-secret", "ttl", "key").runHere().assertDone().out());
        assertEquals("number\t17\n", kvctl("reader-secret", "export", "--prefix", "num").runHere().out());
        assertTrue(kvctl("reader-secret", "stats").runHere().assertDone().out().contains("records"));
        assertTrue(kvctl("reader-secret", "ping", "-q", "-c", "20", "-i", "1ms").runHere().assertDone().out()
            .contains("RPC"));
        assertEquals(0, kvctl("reader-secret", "shell").input("get key\nmget number\n").runHere().exitCode());
    }

    @Test
    void shouldRefuseSettingsThatLetNobodyWrite() throws Exception
    {
        KvctlCall.of("server", "--listen", "127.0.0.1:0", "--device", "shm", "--read-tokens-file",
            directory.resolve("readers").toString()).runHere().assertFailed(2, "nobody could write");
        KvctlCall.of("server", "--listen", "127.0.0.1:0", "--device", "shm", "--metrics-token-file",
            directory.resolve("readers").toString()).runHere().assertFailed(2, "there are no metrics to ask");
        KvctlCall.of("server", "--listen", "127.0.0.1:0", "--device", "shm", "--tokens-file",
            directory.resolve("readers").toString(), "--read-tokens-file", directory.resolve("readers").toString())
            .runHere().assertFailed(2, "name or token is among those that may write, too", "name=reports");
    }

    private static KvctlCall kvctl(final String token, final String... arguments)
    {
        return KvctlCall.of(arguments).to(server).with("KVCTL_TOKEN", token);
    }
}
