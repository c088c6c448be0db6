package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.testing.HangGuard;

/**
 * A cluster of more servers than each partition has replicas.
 */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlSpreadClusterTest
{
    private static final int SERVERS = 4;
    private static final int KEYS = 400;

    @TempDir
    private Path directory;

    private KvctlMembers members;

    @BeforeEach
    void choosePorts() throws IOException
    {
        members = new KvctlMembers(directory);
    }

    @AfterEach
    void close() throws Exception
    {
        members.close();
    }

    private static StoreClient client(final String servers)
    {
        return StoreClient.builder().server(servers).device("tcp")
            .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build();
    }

    private static byte[] key(final int number)
    {
        return ("key-" + number).getBytes();
    }

    private static byte[] value(final int number)
    {
        return ("value-" + number).getBytes();
    }

    private static void assertAllThere(final String seed)
    {
        try (StoreClient client = client(seed))
        {
            final List<byte[]> keys = IntStream.range(0, KEYS).mapToObj(KvctlSpreadClusterTest::key).toList();
            final List<byte[]> values = client.getAll(keys);
            for (int i = 0; i < KEYS; i++)
            {
                assertArrayEquals(value(i), values.get(i), "key " + i);
                assertArrayEquals(value(i), client.get(key(i)), "key " + i);
            }
            final Set<String> scanned = new HashSet<>();
            client.scan((key, value) -> scanned.add(key.getStringWithoutLengthAscii(0, key.capacity())));
            assertEquals(KEYS, scanned.size());
        }
    }

    private void form() throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of("--partitions", "8", "--lease", "500ms", "-o", "json"));
        for (int i = 0; i < SERVERS; i++)
        {
            members.startBlank(i);
            arguments.add(members.address(i));
        }
        final KvctlCall.Result formed = KvctlMembers.create(arguments.toArray(String[]::new));
        assertEquals(0, formed.exitCode(), formed.err());
        assertTrue(formed.out().contains("\"partitions\":8,\"replicas\":3,"), formed.out());
        for (int i = 0; i < SERVERS; i++)
        {
            assertTrue(members.member(i).line().startsWith("ready: " + members.address(i)));
        }
    }

    private static void assertRefused(final int exitCode, final String text, final KvctlCall.Result result)
    {
        assertEquals(exitCode, result.exitCode(), result.err());
        assertTrue(result.err().contains(text), result.err());
    }

    @Test
    void shouldShareTheTableAmongFourServers() throws Exception
    {
        form();
        for (int i = 0; i < SERVERS; i++)
        {
            final String json = KvctlMembers.awaitServed("-o", "json", members.address(i));
            assertEquals(SERVERS, json.split("\"reachable\":true,\"keeps\":6,", -1).length - 1, json);
        }
        try (StoreClient client = client(members.address(3)))
        {
            for (int i = 0; i < KEYS; i++)
            {
                client.put(key(i), value(i));
            }
        }
        for (int i = 0; i < SERVERS; i++)
        {
            assertAllThere(members.address(i));
        }

        final KvctlCall.Result backup = KvctlCall.of("backup", "--server", members.address(0),
            directory.resolve("store.backup").toString()).runHere();
        assertRefused(8, "this member does not keep all partitions", backup);
        assertTrue(backup.err().contains("kvctl export"), backup.err());
        assertEquals(1, backup.err().lines().count(), backup.err());

        // Each partition has lost one replica at most.
        members.member(1).end(true);
        assertAllThere(members.address(0) + "," + members.address(2));
        final KvctlCall.Result info = KvctlCall.of("data", "info", members.data(1).toString()).runHere();
        assertTrue(info.out().contains("member  2 of 4, 3 replicas each, lease 500ms"), info.out() + info.err());
        assertTrue(info.out().contains("holds   0,1,3,4,5,6\n"), info.out());
        assertTrue(members.start(1).line().startsWith("ready: "));
        final KvctlCall.Result status = KvctlMembers.status("--wait", "4m", members.address(0));
        assertEquals(0, status.exitCode(), status.err());
        assertTrue(status.out().contains("1,2,3"), status.out());
        assertTrue(status.out().contains("2,3,4"), status.out());
        assertAllThere(members.address(1));
    }

    /** The only replica of a partition has nobody to move it, and no other server is touched. */
    @Test
    void shouldRefuseToReplaceTheOnlyReplica() throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of("--replicas", "1", "--partitions", "4"));
        for (int i = 0; i < 2; i++)
        {
            members.startBlank(i);
            arguments.add(members.address(i));
        }
        final KvctlCall.Result formed = KvctlMembers.create(arguments.toArray(String[]::new));
        assertEquals(0, formed.exitCode(), formed.err());
        for (int i = 0; i < 2; i++)
        {
            assertTrue(members.member(i).line().startsWith("ready: "));
        }
        members.startBlank(2);
        assertRefused(2, "nothing was changed, a partition with a single replica cannot move: member=2",
            members.cluster("replace", "2", members.address(2)));
        assertRefused(2, "nothing was changed, a partition with a single replica cannot move: member=2",
            members.cluster("remove", "2"));
        final String status = KvctlMembers.awaitServed("-o", "json", members.address(0));
        assertTrue(!status.contains(members.address(2)), status);
    }

    @Tag("full")
    @Test
    void shouldPutAServerIntoThePlaceOfAnother() throws Exception
    {
        form();
        KvctlMembers.awaitServed(members.address(0));
        try (StoreClient client = client(members.address(0)))
        {
            for (int i = 0; i < KEYS; i++)
            {
                client.put(key(i), value(i));
            }
        }
        assertRefused(2, "the member keeps partitions", members.cluster("remove", "2"));
        members.startBlank(4);
        final KvctlCall.Result added = members.cluster("add", members.address(4));
        assertRefused(0, "members=5 losses that they survive=1 added=5@" + members.address(4), added);
        assertTrue(added.err().contains("keeps no partition yet"), added.err());
        assertAllThere(members.address(4));

        members.member(1).end(true);
        KvctlCall.Result replaced = members.cluster("replace", "2", members.address(4));
        for (int i = 0; i < 10 && replaced.exitCode() == 9 && replaced.err().contains("repeat the command"); i++)
        {
            replaced = members.cluster("replace", "2", members.address(4));
        }
        assertRefused(0, "members=4 losses that they survive=1", replaced);
        final String json = KvctlMembers.awaitServed("-o", "json", members.address(0));
        assertEquals(SERVERS, json.split("\"reachable\":true,\"keeps\":6,", -1).length - 1, json);
        assertTrue(!json.contains(members.address(1)), json);
        assertAllThere(members.address(4));
        // Who knows the new one from no log, too.
        members.member(4).end(true);
        assertAllThere(members.address(0) + "," + members.address(2) + "," + members.address(3));
    }

    /** No member that is left has all partitions. */
    @Tag("full")
    @Test
    void shouldRescueWhatTwoMembersKeep() throws Exception
    {
        form();
        KvctlMembers.awaitServed(members.address(0));
        try (StoreClient client = client(members.address(0)))
        {
            for (int i = 0; i < KEYS; i++)
            {
                client.put(key(i), value(i));
            }
        }
        final String all = String.join(",", IntStream.range(0, SERVERS).mapToObj(members::address).toList());
        KvctlMembers.status("--wait", "4m", all).assertDone();
        for (int i = 0; i < SERVERS; i++)
        {
            members.member(i).end(true);
        }
        final Set<String> found = new HashSet<>();
        for (int i = 0; i < 2; i++)
        {
            final Path rescued = directory.resolve("rescued-" + i);
            final String made = KvctlCall.of("cluster", "rescue", members.data(i).toString(), "--to",
                rescued.toString()).runHere().assertDone().out();
            assertEquals(2, made.split(": nothing\n  left out: all of it: ", -1).length - 1, made);
            final Set<String> some = keys(rescued);
            assertTrue(some.size() > KEYS / 2 && some.size() < KEYS, () -> "keys: " + some.size());
            found.addAll(some);
        }
        assertEquals(KEYS, found.size());
    }

    private static Set<String> keys(final Path data) throws Exception
    {
        final Set<String> keys = new HashSet<>();
        try (KvctlServer server = KvctlServer.start(
            "--data", data.toString(), "--memory", "32m", "--device", "tcp");
            StoreClient client = client(server.address()))
        {
            client.scan((key, value) -> keys.add(key.getStringWithoutLengthAscii(0, key.capacity())));
            client.put("more", "is taken");
        }
        return keys;
    }
}
