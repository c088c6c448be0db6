package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.types.PutOptions;
import org.onesided.testing.HangGuard;

/**
 * A cluster begins with the records of a server that is alone, and a server with those of a cluster.
 */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlClusterRestoreTest
{
    private static final int FAILED = 1;
    private static final int CANNOT_CONNECT = 4;
    private static final int NOT_SERVED = 9;
    private static final int KEYS = 2_500;
    private static final String LONG = "x".repeat(3_000_000);

    @TempDir
    private static Path backups;
    private static String backup;

    @TempDir
    private Path directory;

    private KvctlMembers members;

    @BeforeEach
    void choosePorts() throws Exception
    {
        members = new KvctlMembers(directory);
    }

    @AfterEach
    void close() throws Exception
    {
        members.close();
    }

    private String path(final String name)
    {
        return directory.resolve(name).toString();
    }

    private KvctlCall.Result create(final String file)
    {
        final List<String> all = new ArrayList<>(
            List.of("cluster", "create", "--partitions", "3", "--lease", "500ms", "--restore", file));
        all.addAll(members.addresses());
        return KvctlCall.of(all.toArray(String[]::new)).with("KVCTL_DEADLINE", HangGuard.seconds(240) + "s").runHere();
    }

    @BeforeAll
    static void takeBackup() throws Exception
    {
        backup = backups.resolve("a.backup").toString();
        try (KvctlServer alone = KvctlServer.start("--data", backups.resolve("alone").toString(), "--shards", "2");
            StoreClient client = StoreClient.builder().server(alone.address()).device("shm")
                .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build())
        {
            for (int i = 0; i < KEYS; i++)
            {
                client.put("key-" + i, "value-" + i);
            }
            client.put("long", LONG);
            client.put("empty", "");
            client.put("passing", "1", PutOptions.expiringAfter(Duration.ofHours(1)));
            assertEquals(0, KvctlCall.of("backup", backup).to(alone).runHere().exitCode());
        }
    }

    @Test
    void shouldBeginWithTheRecordsOfABackup() throws Exception
    {
        members.startAll();

        final byte[] bytes = Files.readAllBytes(Path.of(backup));
        bytes[bytes.length / 2] ^= 4;
        Files.write(directory.resolve("bad.backup"), bytes);
        create(path("bad.backup")).assertFailed(FAILED, "nothing was changed", "damaged");
        create(path("none.backup")).assertFailed(FAILED, "nothing was changed", "there is no such backup");

        final KvctlCall.Result made = create(backup);
        assertEquals(0, made.exitCode(), made.err());
        assertTrue(made.err().contains("restored: records=" + (KEYS + 3) + " of="), made.err());
        check();
        try (StoreClient client = client())
        {
            client.put("key-1", "newer");
            client.delete("key-2");
        }
        final KvctlCall.Result again = create(backup);
        assertEquals(0, again.exitCode(), again.err());
        assertTrue(again.err().contains(" that were there=" + (KEYS + 2)), again.err());
        try (StoreClient client = client())
        {
            assertEquals("newer", client.get("key-1"));
            assertEquals("value-2", client.get("key-2"));
        }
    }

    /** A new leader waits longer than the command, for leases of a minute. */
    @Test
    void shouldSayThatNothingIsRestoredYetIfLeadersAreLate() throws Exception
    {
        members.startAll();
        final KvctlCall create = KvctlCall.of("cluster", "create", "--lease", "1m", "--restore", backup,
            members.address(0), members.address(1), members.address(2)).with("KVCTL_DEADLINE", "5s");
        // The leaders are late until leases of before could have ended.
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        KvctlCall.Result late = create.runHere();
        // On a busy machine a server may need more than that to become a member; then it goes on.
        while (late.exitCode() == CANNOT_CONNECT && System.nanoTime() - endNs < 0)
        {
            late = create.runHere();
        }
        late.assertFailed(NOT_SERVED, "nothing of the backup is restored yet, repeat the command");
    }

    private StoreClient client()
    {
        return StoreClient.builder().server(String.join(",", members.addresses())).device("tcp")
            .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build();
    }

    private void check()
    {
        try (StoreClient client = client())
        {
            for (int i = 0; i < KEYS; i++)
            {
                assertEquals("value-" + i, client.get("key-" + i));
            }
            assertEquals(LONG, client.get("long"));
            assertEquals("", client.get("empty"));
            assertEquals("1", client.get("passing"));
        }
        final String rest = KvctlCall.of("ttl", "passing").with("KVCTL_SERVER", members.address(0)).runHere()
            .assertDone().out();
        assertFalse(rest.contains("never"), rest);
    }
}
