package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.types.PutOptions;
import org.onesided.testing.HangGuard;

/**
 * Most members of a cluster are lost for good, and one directory is left.
 */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlRescueTest
{
    private static final int FAILED = 1;
    private static final int CONFLICT = 5;
    private static final int NOT_SERVED = 9;
    private static final int KEYS = 60;
    private static final int LONG_VALUE = 300_000;

    @TempDir
    private Path directory;

    private KvctlMembers members;

    @BeforeEach
    void form() throws Exception
    {
        members = new KvctlMembers(directory);
        members.startAll();
        final KvctlCall.Result formed = KvctlMembers.create(
            "--partitions", "3", "--lease", "500ms", members.address(0), members.address(1), members.address(2));
        assertEquals(0, formed.exitCode(), formed.err());
        members.awaitReady();
        members.awaitServed();
    }

    @AfterEach
    void close() throws Exception
    {
        members.close();
    }

    private StoreClient client()
    {
        return StoreClient.builder().server(String.join(",", members.addresses())).device("tcp")
            .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build();
    }

    private static KvctlCall.Result rescue(final Object... arguments)
    {
        return KvctlCall.of(Stream.concat(Stream.of("cluster", "rescue"), Stream.of(arguments).map(Object::toString))
            .toArray(String[]::new)).runHere();
    }

    private static String info(final Path data)
    {
        return KvctlCall.of("data", "info", data.toString(), "-o", "plain").runHere().out();
    }

    private static String table(final Path data)
    {
        return info(data).lines().filter((line) -> line.startsWith("table_id")).findFirst().orElseThrow();
    }

    /** What two members have acknowledged, as the third is dead, is on the disks of both. */
    private String write() throws Exception
    {
        final String version;
        try (StoreClient client = client())
        {
            for (int i = 0; i < KEYS; i++)
            {
                client.put("key-" + i, "first-" + i);
            }
            final KvctlCall.Result snapshot = KvctlCall.of("snapshot", "--server", members.address(1))
                .with("KVCTL_DEADLINE", KvctlMembers.DEADLINE).runHere();
            assertEquals(0, snapshot.exitCode(), snapshot.err());
            members.member(0).end(true);
            for (int i = 0; i < KEYS; i++)
            {
                client.put("key-" + i, "second-" + i);
            }
            client.put("long", "x".repeat(LONG_VALUE));
            client.put("passing", "1", PutOptions.expiringAfter(Duration.ofHours(1)));
            client.delete("key-0");
            version = client.getVersioned("key-1").version().toString();
        }
        return version;
    }

    @Test
    void shouldMakeATableOfWhatOneMemberHas() throws Exception
    {
        final String version = write();
        rescue(members.data(2)).assertFailed(FAILED, "in use by a running server");
        members.member(1).end(true);
        members.member(2).end(true);

        final Path rescued = directory.resolve("rescued");
        final String survey = rescue(members.data(2)).assertDone().out();
        assertTrue(survey.contains("member  3 of 3") && survey.contains("partition 2: up to entry "), survey);
        assertFalse(Files.exists(rescued));
        final String before = info(members.data(2));
        final String made = rescue(members.data(2), "--to", rescued).assertDone().out();
        assertTrue(made.startsWith(survey) && made.contains("Made " + rescued + ": table "), made);
        rescue(members.data(2), "--to", rescued).assertFailed(FAILED, "holds a table already");
        rescue(rescued).assertFailed(FAILED, "needs no rescue");
        rescue(members.data(2), "--to", members.data(2).resolve("in")).assertFailed(FAILED, "stays as it is");
        assertEquals(before, info(members.data(2)));
        assertNotEquals(table(members.data(2)), table(rescued));
        assertEquals(0, KvctlCall.of("data", "verify", rescued.toString()).runHere().exitCode());

        for (int start = 0; start < 2; start++)
        {
            try (KvctlServer server = KvctlServer.start("--data", rescued.toString(), "--memory", "32m"))
            {
                check(server);
                assertEquals(CONFLICT, KvctlCall.of("put", "--if-version", version, "key-1", "late").to(server)
                    .runHere().exitCode());
                KvctlCall.of("put", "new", "write").to(server).runHere().assertDone();
                assertEquals(0, KvctlCall.of("snapshot").to(server).runHere().exitCode());
            }
        }
        shouldLeaveTheOthersOut(rescued);
    }

    private static void check(final KvctlServer server)
    {
        try (StoreClient client = StoreClient.builder().server(server.address()).device("shm")
            .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build())
        {
            for (int i = 1; i < KEYS; i++)
            {
                assertEquals("second-" + i, client.get("key-" + i));
            }
            assertEquals(null, client.get("key-0"));
            assertEquals("x".repeat(LONG_VALUE), client.get("long"));
            assertEquals("1", client.get("passing"));
        }
        final String rest = KvctlCall.of("ttl", "passing").to(server).runHere().assertDone().out();
        assertFalse(rest.contains("never"), rest);
    }

    /** Another member comes back: it finds nobody of its cluster, and nothing of the new table. */
    private void shouldLeaveTheOthersOut(final Path rescued) throws Exception
    {
        try (KvctlServer server = KvctlServer.start("--data", rescued.toString(), "--memory", "32m"))
        {
            members.start(1);
            KvctlCall.Result status = KvctlMembers.status(members.address(1));
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(120));
            while (status.exitCode() != NOT_SERVED && System.nanoTime() - endNs < 0)
            {
                TimeUnit.MILLISECONDS.sleep(100);
                status = KvctlMembers.status(members.address(1));
            }
            assertEquals(NOT_SERVED, status.exitCode(), status.err());
            assertNotEquals(0, KvctlCall.of("cluster", "add", "--server", members.address(1), server.address())
                .with("KVCTL_DEADLINE", "10s").runHere().exitCode());
            check(server);
        }
    }

    @Test
    void shouldRefuseDamageUntilToldToDropIt() throws Exception
    {
        write();
        members.member(1).end(true);
        members.member(2).end(true);
        final Path log = openLog(members.data(1));
        final byte[] bytes = Files.readAllBytes(log);
        // Not the last one: with nothing behind it, that may be what a crash has left unfinished.
        final int at = new String(bytes, ISO_8859_1).indexOf("second-");
        bytes[at] ^= 1;
        Files.write(log, bytes);

        final Path rescued = directory.resolve("rescued");
        rescue(members.data(1), "--to", rescued).assertFailed(FAILED, log.toString(), "--discard-tail", "partition=");
        assertFalse(Files.exists(rescued));
        final String made = rescue(members.data(1), "--to", rescued, "--discard-tail").assertDone().out();
        assertTrue(made.contains("left out: cut off entries as told by --discard-tail"), made);
        try (KvctlServer server = KvctlServer.start("--data", rescued.toString(), "--memory", "32m"))
        {
            KvctlCall.of("put", "new", "write").to(server).runHere().assertDone();
        }
        rescue(directory.resolve("none")).assertFailed(FAILED, "holds no table");
    }

    /** An open segment that holds second values. */
    private static Path openLog(final Path data) throws IOException
    {
        try (Stream<Path> files = Files.walk(data))
        {
            for (final Path file : files.filter((each) -> each.getFileName().toString().startsWith("log_inprogress"))
                .toList())
            {
                if (new String(Files.readAllBytes(file), ISO_8859_1).contains("second-"))
                {
                    return file;
                }
            }
        }
        throw new AssertionError("no log holds a second value");
    }
}
