package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.HangGuard;

/**
 * The commands of a server's users, on a cluster of three.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KvctlOnClusterTest
{
    private static final int CONFLICT = 5;
    private static final int NOT_SERVED = 9;

    private KvctlMembers members;
    private String seeds;

    @BeforeAll
    void form(@TempDir final Path directory) throws Exception
    {
        members = new KvctlMembers(directory);
        seeds = members.address(1);
        members.startAll();
        assertEquals(0, KvctlMembers.create("--partitions", "4", "--lease", "500ms",
            members.address(0), members.address(1), members.address(2)).exitCode());
        members.awaitReady();
        members.awaitServed();
    }

    @AfterAll
    void close() throws Exception
    {
        members.close();
    }

    /** Names one member. */
    private KvctlCall kvctl(final String... arguments)
    {
        return KvctlCall.of(arguments).with("KVCTL_SERVER", seeds).with("KVCTL_DEADLINE", KvctlMembers.DEADLINE);
    }

    /** Lines of pairs, from one number to the one before another. */
    private static String pairs(final String prefix, final int from, final int to)
    {
        return IntStream.range(from, to).mapToObj((i) -> prefix + i + "\tvalue " + i + '\n')
            .collect(Collectors.joining());
    }

    private List<String> exported(final String prefix) throws Exception
    {
        final KvctlCall.Result result = kvctl("export", "--prefix", prefix, "-").scanHere();
        assertEquals(0, result.exitCode(), result.err());
        return result.out().lines().sorted().toList();
    }

    private static List<String> sorted(final String lines)
    {
        return lines.lines().sorted().toList();
    }

    @Test
    void shouldReachItByOneMemberOrSeveralAndOverAnyChoiceOfDevice()
    {
        kvctl("put", "reached", "yes").runHere().assertDone();

        final String nobody = "127.0.0.1:1";
        final String all = String.join(",", members.addresses());
        for (final String server : List.of(members.address(0), members.address(2), all, nobody + ',' + all))
        {
            assertEquals("yes", kvctl("get", "--server", server, "reached").runHere().assertDone().out());
            assertEquals("yes",
                kvctl("get", "--server", server, "--device", "tcp", "reached").runHere().assertDone().out());
        }
        kvctl("get", "--server", nobody + ',' + nobody, "--deadline", "2s", "reached").runHere()
            .assertFailed(4, "nothing listens there", nobody + ',' + nobody);
    }

    @Test
    void shouldSayThatAMemberIsSilentAndGoOnWithTheOthers() throws Exception
    {
        kvctl("put", "reached", "yes").runHere().assertDone();
        try (FakeServer silent = new FakeServer(new byte[0], false))
        {
            final String all = String.join(",", members.addresses());
            final KvctlCall.Result result =
                kvctl("get", "--server", silent.address() + ',' + all, "reached").runWithHints();
            assertEquals("yes", result.out());
            final List<String> hints = result.err().lines().filter((line) -> line.contains(silent.address())).toList();
            assertEquals(1, hints.size(), result.err());
            assertTrue(hints.get(0).contains(" has not answered for a second: "), result.err());
            assertTrue(hints.get(0).endsWith("; trying on until the deadline"), result.err());
        }
    }

    @Test
    void shouldSayThatSeveralServersAreNoCluster() throws Exception
    {
        try (KvctlServer alone = KvctlServer.start())
        {
            kvctl("get", "--server", alone.address() + ',' + alone.address(), "key").runHere()
                .assertFailed(4, "server is alone, not a member of a cluster");
        }
    }

    @Test
    void shouldReadAndChangeSingleKeys()
    {
        // In more than one partition.
        for (int i = 0; i < 5; i++)
        {
            final String key = "single-" + i;
            kvctl("put", "--if-absent", key, "a").runHere().assertDone();
            assertEquals(CONFLICT, kvctl("put", "--if-absent", key, "b").runHere().exitCode());
            assertEquals("3\n", kvctl("append", key, "bc").runHere().assertDone().out());
            assertEquals("abc", kvctl("get", key).runHere().assertDone().out());
            assertEquals("never\n", kvctl("ttl", key).runHere().assertDone().out());
            kvctl("touch", key, "1h").runHere().assertDone();
            assertTrue(!"never\n".equals(kvctl("ttl", key).runHere().assertDone().out()));
            kvctl("persist", key).runHere().assertDone();
            assertEquals("abc", kvctl("getdel", key).runHere().assertDone().out());
            assertEquals(3, kvctl("get", key).runHere().exitCode());
            assertEquals("5\n", kvctl("incr", key, "5").runHere().assertDone().out());
            kvctl("delete", key).runHere().assertDone();
        }
    }

    @Test
    void shouldReadAndChangeManyKeysInTheirOrder()
    {
        final String pairs = pairs("many-", 0, 500);
        assertEquals(0, kvctl("mput", "-").input(pairs).runHere().exitCode());

        final String keys = IntStream.range(0, 500).mapToObj((i) -> "many-" + i + '\n').collect(Collectors.joining());
        assertEquals(pairs, kvctl("mget", "-").input(keys).runHere().assertDone().out());
        final KvctlCall.Result some = kvctl("mget", "many-7", "none", "many-3").runHere();
        assertEquals("many-7\tvalue 7\nmany-3\tvalue 3\n", some.out());
        assertEquals("kvctl mget: not found: none\n", some.err());
    }

    @Test
    void shouldImportAndExportAllPairs(@TempDir final Path directory) throws Exception
    {
        final String pairs = pairs("copied-", 0, 3_000);
        final Path from = Files.writeString(directory.resolve("from.tsv"), pairs);
        final Path to = directory.resolve("to.jsonl");

        assertTrue(kvctl("import", from.toString()).runHere().err().startsWith("kvctl import: 3,000 pairs imported"));
        assertTrue(kvctl("export", "--prefix", "copied-", "--expiries", to.toString()).scanHere().err()
            .startsWith("kvctl export: 3,000 pairs exported"));

        assertEquals(0, kvctl("import", to.toString()).runHere().exitCode());
        assertEquals(sorted(pairs), exported("copied-"));
    }

    @Test
    void shouldRunTheCommandsOfAShell()
    {
        final KvctlCall.Result result = kvctl("shell")
            .input("put shell-1 one\nput shell-2 two\nmget shell-1 shell-2\nstats -o json\nping\n").runHere();

        assertTrue(result.out().startsWith("shell-1\tone\nshell-2\ttwo\n{"), result.out());
        assertTrue(result.out().contains("\"server\":\"" + String.join(",", members.addresses()) + '"'), result.out());
        assertEquals(1, result.err().lines().count(), result.err());
        assertTrue(result.err().startsWith("kvctl shell: line 5: ping: this is a cluster"), result.err());
    }

    @Test
    void shouldSayWhatOnlyAServerCanThatIsAlone()
    {
        kvctl("ping", "-c", "1").runHere().assertFailed(2, "this is a cluster", "kvctl cluster status");
    }

    /** On a busy machine, members may be behind for long. */
    private KvctlCall.Result backup(final String file) throws Exception
    {
        final long beganNs = System.nanoTime();
        KvctlCall.Result taken = kvctl("backup", file).runHere();
        while (taken.exitCode() == NOT_SERVED &&
            System.nanoTime() - beganNs < TimeUnit.SECONDS.toNanos(HangGuard.seconds(240)))
        {
            taken = kvctl("backup", file).runHere();
        }
        return taken;
    }

    @Test
    void shouldTakeABackupOfAllPartitions(@TempDir final Path directory) throws Exception
    {
        final String pairs = pairs("kept-", 0, 500);
        final Path from = Files.writeString(directory.resolve("from.tsv"), pairs);
        final String file = directory.resolve("cluster.backup").toString();
        for (int round = 0; round < 3; round++)
        {
            // The last of them just before.
            assertEquals(0, kvctl("import", from.toString()).runHere().exitCode());
            kvctl("put", "round", "value " + round).runHere().assertDone();
            final KvctlCall.Result taken = backup(file);
            assertEquals(0, taken.exitCode(), taken.err());

            final Path data = directory.resolve("restored-" + round);
            assertEquals(0, KvctlCall.of("restore", file, "--data", data.toString()).runHere().exitCode());
            try (KvctlServer server = KvctlServer.start("--data", data.toString()))
            {
                assertEquals("value " + round, KvctlCall.of("get", "round").to(server).runHere().assertDone().out());
                assertEquals(sorted(pairs),
                    sorted(KvctlCall.of("export", "--prefix", "kept-", "-").to(server).runHere().out()));
            }
        }
        kvctl("backup", "-").runHere().assertFailed(2, "needs a FILE");
        kvctl("backup", "/dev/full").runHere().assertFailed(2, "needs a FILE");
    }

    @Test
    void shouldMeasureAndVerifyALoad() throws Exception
    {
        final KvctlCall.Result result = kvctl("load", "--workload", "f", "--records", "300", "--operations", "600",
            "--threads", "3", "-o", "plain").runHere();

        assertEquals(0, result.exitCode(), result.err());
        assertTrue(result.out().contains("run\tfailed\t1\t0\n"), result.out());
        final KvctlCall.Result processes = kvctl("load", "--workload", "c", "--phase", "run", "--records", "300",
            "--operations", "600", "--clients", "2", "-o", "table").run();
        assertTrue(processes.out().contains(String.join(",", members.addresses())), processes.out());
        assertTrue(processes.out().contains("all right"), processes.out());
    }

    /** The last one, as it leaves two members. */
    @Test
    @Order(Integer.MAX_VALUE)
    void shouldGoOnWithAnImportWhoseLeaderIsKilled() throws Exception
    {
        seeds = String.join(",", members.addresses());
        final Process process = kvctl("import", "-").start();
        try (OutputStream input = process.getOutputStream())
        {
            input.write(pairs("killed-", 0, 1_500).getBytes(UTF_8));
            input.flush();
            awaitFirst();
            members.leader(0).end(true);
            input.write(pairs("killed-", 1_500, 3_000).getBytes(UTF_8));
        }
        final String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
        assertTrue(process.waitFor(HangGuard.seconds(240), TimeUnit.SECONDS));

        assertEquals(0, process.exitValue(), err);
        assertTrue(err.startsWith("kvctl import: 3,000 pairs imported"), err);
        assertEquals(sorted(pairs("killed-", 0, 3_000)), exported("killed-"));
    }

    private void awaitFirst() throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
        while (kvctl("get", "killed-0").runHere().exitCode() != 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, "the import does not begin");
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
