package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.PutOptions;
import org.onesided.testing.HangGuard;

/**
 * A server that is alone becomes the first member of a cluster in place, and gets others.
 */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlConvertTest
{
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int CONFLICT = 5;
    private static final int NOT_DONE = 9;
    private static final int TRIES = 10;
    private static final int KEYS = 3_000;
    private static final int SHARDS = 3;
    private static final int LONG_VALUE = 300_000;

    @TempDir
    private Path directory;

    private KvctlMembers members;
    private MemberProcess alone;

    @BeforeEach
    void start() throws Exception
    {
        members = new KvctlMembers(directory);
        alone = MemberProcess.start("server", "--data", members.data(0).toString(), "--memory", "32m", "--device",
            "tcp", "--shards", String.valueOf(SHARDS), "--listen", members.address(0));
        assertTrue(alone.line().startsWith("ready: "));
    }

    @AfterEach
    void close() throws Exception
    {
        alone.close();
        members.close();
    }

    private static StoreClient client(final String servers)
    {
        return StoreClient.builder().server(servers).device("tcp")
            .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build();
    }

    private KvctlCall.Result convert(final String... arguments)
    {
        return KvctlCall.of(Stream.concat(Stream.of("cluster", "convert"), Stream.of(arguments))
            .toArray(String[]::new)).runHere();
    }

    private KvctlCall.Result convert()
    {
        return convert("--listen", members.address(0), "--peer-listen", members.peer(0), "--lease", "500ms",
            members.data(0).toString());
    }

    /** On a busy machine leaders may change amid a command, which then asks to be repeated. */
    private KvctlCall.Result rebalance()
    {
        KvctlCall.Result result = null;
        for (int i = 0; result == null || i < TRIES && result.exitCode() == NOT_DONE; i++)
        {
            result = KvctlCall.of("cluster", "rebalance", members.address(0))
                .with("KVCTL_DEADLINE", KvctlMembers.DEADLINE).runHere();
        }
        assertEquals(0, result.exitCode(), result.err());
        return result;
    }

    /** On a busy machine leaders may change amid a command, which then asks to be repeated. */
    private void add(final int number) throws Exception
    {
        members.startBlank(number);
        KvctlCall.Result result = null;
        for (int i = 0; result == null || i < TRIES && result.exitCode() == NOT_DONE; i++)
        {
            result = KvctlCall.of("cluster", "add", "--server", members.address(0), members.address(number))
                .with("KVCTL_DEADLINE", KvctlMembers.DEADLINE).runHere();
        }
        assertEquals(0, result.exitCode(), result.err());
    }

    private static void await(final String... servers)
    {
        final KvctlCall.Result status = KvctlCall.of("cluster", "status", "--wait", "5m", String.join(",", servers))
            .with("KVCTL_DEADLINE", KvctlMembers.DEADLINE).runHere();
        assertEquals(0, status.exitCode(), status.out() + status.err());
    }

    private Map<String, Object> write()
    {
        final Map<String, Object> versions = new HashMap<>();
        try (StoreClient client = client(members.address(0)))
        {
            for (int i = 0; i < KEYS; i++)
            {
                client.put("key-" + i, "first-" + i);
                if (i == KEYS / 2)
                {
                    final KvctlCall.Result snapshot = KvctlCall.of("snapshot", "--server", members.address(0))
                        .with("KVCTL_DEADLINE", KvctlMembers.DEADLINE).runHere();
                    assertEquals(0, snapshot.exitCode(), snapshot.err());
                }
            }
            client.put("long", "x".repeat(LONG_VALUE));
            client.put("passing", "1", PutOptions.expiringAfter(Duration.ofHours(1)));
            client.delete("key-0");
            for (final String key : List.of("key-1", "long", "passing"))
            {
                versions.put(key, client.getVersioned(key).version());
            }
        }
        return versions;
    }

    private static void check(final String servers, final Map<String, Object> versions)
    {
        try (StoreClient client = client(servers))
        {
            for (int i = 1; i < KEYS; i++)
            {
                assertEquals("first-" + i, client.get("key-" + i));
            }
            assertNull(client.get("key-0"));
            assertEquals("x".repeat(LONG_VALUE), client.get("long"));
            versions.forEach((key, version) -> assertEquals(version, client.getVersioned(key).version(), key));
        }
        final String rest = KvctlCall.of("ttl", "--server", servers, "passing")
            .with("KVCTL_DEADLINE", KvctlMembers.DEADLINE).runHere().assertDone().out();
        assertTrue(rest.endsWith("m\n") || rest.endsWith("s\n"), rest);
    }

    @Test
    void shouldKeepAllOnThreeServersAndLoseTheFirst() throws Exception
    {
        final Map<String, Object> versions = write();
        convert().assertFailed(FAILED, "nothing was changed", "in use by a running server");
        // Sessions, too: one that is open when the server dies is in all logs.
        try (StoreClient old = StoreClient.builder().server(members.address(0)).device("tcp")
            .deadline(Duration.ofSeconds(1)).build())
        {
            old.put("of-a-session", "1");
            alone.close();
            final KvctlCall.Result converted = convert();
            assertEquals(0, converted.exitCode(), converted.err());
            assertTrue(converted.err().contains("partitions=" + SHARDS + " replicas=all lease=500ms"), converted.err());
            convert().assertFailed(FAILED, "nothing was changed", "a member of a cluster already");
            assertTrue(members.start(0).line().startsWith("ready: "));
            await(members.address(0));
            try
            {
                old.put("of-a-session", "2");
                throw new AssertionError("a client that looks up without leases goes on");
            }
            catch (final StoreException e)
            {
                assertTrue(e.getMessage().contains("connect to the cluster"), e.getMessage());
            }
        }
        check(members.address(0), versions);

        final int acknowledged;
        try (StoreClient client = client(members.address(0)); ClusterWork work = new ClusterWork(client))
        {
            work.awaitMore();
            add(1);
            work.awaitMore();
            add(2);
            work.awaitMore();
            acknowledged = work.end();
        }
        await(members.addresses().toArray(String[]::new));
        final String all = String.join(",", members.addresses());
        final String status = KvctlMembers.awaitServed(all);
        assertEquals(SHARDS, status.lines().filter((line) -> line.matches("[0-9]+ +1,2,3 .*")).count(), status);

        members.member(0).end(true);
        final String left = members.address(1) + "," + members.address(2);
        KvctlMembers.awaitServed(left);
        check(left, versions);
        try (StoreClient client = client(left))
        {
            for (int i = 0; i < acknowledged; i++)
            {
                assertEquals("value-" + i, client.get("work-" + i));
            }
            assertEquals("1", client.get("of-a-session"));
            client.put("later", "1");
        }
        assertEquals(CONFLICT, KvctlCall.of(
            "put", "--server", left, "--if-version", versions.get("passing").toString(), "key-1", "late")
            .with("KVCTL_DEADLINE", KvctlMembers.DEADLINE).runHere().exitCode());
        assertTrue(members.start(0).line().startsWith("ready: "));
        await(members.addresses().toArray(String[]::new));
    }

    @Test
    void shouldBringPartitionsToThreeOfFourMembers() throws Exception
    {
        final Map<String, Object> versions = write();
        alone.close();
        final KvctlCall.Result converted = convert("--listen", members.address(0), "--peer-listen", members.peer(0),
            "--lease", "500ms", "--replicas", "3", members.data(0).toString());
        assertEquals(0, converted.exitCode(), converted.err());
        assertTrue(converted.err().contains("replicas=3"), converted.err());
        assertTrue(members.start(0).line().startsWith("ready: "));
        await(members.address(0));
        rebalance();
        add(1);
        final String single = rebalance().err();
        assertTrue(single.contains("a single replica until three members answer"), single);
        add(2);
        add(3);
        final String grown = rebalance().err();
        assertTrue(grown.contains("partition=0 added="), grown);
        final String all = String.join(
            ",", members.address(0), members.address(1), members.address(2), members.address(3));
        await(all);
        final String status = KvctlMembers.awaitServed(all);
        assertEquals(SHARDS, status.lines()
            .filter((line) -> line.matches("[0-9]+ +(1,2,3|1,2,4|1,3,4|2,3,4) .*")).count(), status);
        assertTrue(rebalance().err().contains("nothing to move"));

        members.member(0).end(true);
        final String left = String.join(",", members.address(1), members.address(2), members.address(3));
        KvctlMembers.awaitServed(left);
        check(left, versions);
        assertTrue(members.start(0).line().startsWith("ready: "));
        await(all);
    }

    @Test
    void shouldChangeNothingWhenItCannotBe() throws Exception
    {
        alone.close();
        final String data = members.data(0).toString();
        convert("--listen", members.address(0), data).assertFailed(USAGE, "--peer-listen");
        convert("--listen", members.address(0), "--peer-listen", "127.0.0.1:0", data)
            .assertFailed(USAGE, "nothing was changed", "--peer-listen");
        convert("--listen", "here", "--peer-listen", members.peer(0), data)
            .assertFailed(USAGE, "nothing was changed", "HOST:PORT");
        convert("--listen", members.address(0), "--peer-listen", members.peer(0), "--lease", "61s", data)
            .assertFailed(USAGE, "out of range");
        for (final String replicas : List.of("1", "4"))
        {
            convert("--listen", members.address(0), "--peer-listen", members.peer(0), "--replicas", replicas, data)
                .assertFailed(USAGE, "nothing was changed", "--replicas 3, 5 or 7");
        }
        convert("--listen", members.address(0), "--peer-listen", members.peer(0), data + "-none")
            .assertFailed(FAILED, "nothing was changed", "holds no table");
        final String info = KvctlCall.of("data", "info", data).runHere().out();
        assertFalse(info.contains("\nmember "), info);
        KvctlCall.of("server", "--data", data, "--listen", members.address(0), "--peer-listen", members.peer(0))
            .runHere().assertFailed(FAILED, "kvctl cluster convert");
    }
}
