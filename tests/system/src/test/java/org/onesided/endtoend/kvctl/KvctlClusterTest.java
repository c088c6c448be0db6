package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.BlankServer;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.testing.HangGuard;

/**
 * Servers become a cluster, as their operator meets it.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlClusterTest
{
    private static final int NOT_SERVED = 9;
    private static final Duration DEADLINE = Duration.ofSeconds(HangGuard.seconds(60));

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

    private static void assertRefused(final int exitCode, final String text, final KvctlCall.Result result)
    {
        assertEquals(exitCode, result.exitCode(), result.err());
        assertTrue(result.err().contains(text), result.err());
        assertEquals("", result.out());
    }

    @Test
    void shouldMakeThreeServersACluster() throws Exception
    {
        members.startAll();
        final KvctlCall.Result formed = KvctlMembers.create(
            "--partitions", "4", "--lease", "500ms", "-o", "json", members.address(0), members.address(1),
            members.address(2));
        assertEquals(0, formed.exitCode(), formed.err());
        assertTrue(formed.out().contains("\"partitions\":4,\"replicas\":3,\"lease_ms\":500"), formed.out());
        members.awaitReady();
        members.awaitServed();
        final String json = KvctlMembers.awaitServed("-o", "json", members.address(2));
        assertTrue(json.contains("\"unserved\":0"), json);
        assertTrue(json.contains("\"address\":\"" + members.address(1) + "\",\"reachable\":true"), json);
        assertTrue(json.contains("\"partition\":3"), json);

        final KvctlCall.Result again = KvctlMembers.create(members.addresses().toArray(String[]::new));
        assertEquals(0, again.exitCode(), again.err());
        assertTrue(again.err().contains("partitions=4"), again.err());
        assertRefused(2, "replicas=3 wanted=1", KvctlMembers.create(
            "--replicas", "1", members.address(0), members.address(1), members.address(2)));
        assertRefused(2, "partitions=4 wanted=5", KvctlMembers.create(
            "--partitions", "5", members.address(0), members.address(1), members.address(2)));
        final KvctlCall.Result fewer = KvctlMembers.create(members.address(0));
        assertRefused(4, "member of a cluster already: table=", fewer);
        assertTrue(fewer.err().contains("nothing was changed"), fewer.err());

        members.member(2).end(true);
        final KvctlCall.Result one = KvctlMembers.status(members.address(2) + "," + members.address(0));
        assertTrue(one.out().contains(members.address(2) + "  no"), one.out());
        members.member(1).end(false);
        final KvctlCall.Result info = KvctlCall.of("data", "info", members.data(1).toString()).runHere();
        assertTrue(info.out().contains("member  2 of 3, lease 500ms"), info.out());
        // What is left is no majority.
        final KvctlCall.Result lonely = KvctlMembers.status(members.address(0));
        assertTrue(lonely.exitCode() == NOT_SERVED || lonely.exitCode() == 0, lonely.err());
    }

    @Test
    void shouldChangeNothingIfOneServerCannotBeAMember() throws Exception
    {
        members.startAll();
        try (KvctlServer server = KvctlServer.start())
        {
            final String alone = server.address();
            assertRefused(
                4, "this server is not blank", KvctlMembers.create(members.address(0), members.address(1), alone));
            assertRefused(1, "not a member of a cluster", KvctlMembers.status(alone));
        }
        assertRefused(4, "nothing listens there",
            KvctlMembers.create(members.address(0), members.address(1), members.address(KvctlMembers.COUNT)));
        assertRefused(2, "the same", KvctlMembers.create(
            members.address(0), members.address(1), members.address(1).replace("127.0.0.1", "localhost")));
        assertRefused(2, "an odd number of replicas", KvctlMembers.create(members.address(0), members.address(1)));
        assertRefused(2, "fewer servers than replicas", KvctlMembers.create(
            "--replicas", "5", members.address(0), members.address(1), members.address(2)));
        assertRefused(
            2, "an odd number of replicas", KvctlMembers.create("--replicas", "4", "a:1", "a:2", "a:3", "a:4"));
        assertRefused(2, "at most 16 members", KvctlMembers.create(
            IntStream.rangeClosed(1, 17).mapToObj((i) -> "a:" + i).toArray(String[]::new)));
        assertRefused(2, "--partitions", KvctlMembers.create("--partitions", "65", members.address(0)));
        assertRefused(2, "--lease", KvctlMembers.create("--lease", "1ms", members.address(0)));
        assertRefused(2, "not a server's address", KvctlMembers.create("[::1"));
        assertRefused(4, "this server is blank", KvctlMembers.status(members.address(0)));
        assertRefused(4, "kvctl cluster create",
            KvctlCall.of("get", "key").with("KVCTL_SERVER", members.address(0)).runHere());
        for (int i = 0; i < KvctlMembers.COUNT; i++)
        {
            members.member(i).end(false);
            assertEquals(0, members.member(i).process().exitValue());
            assertFalse(Files.exists(members.data(i)), "what a blank server has made for nothing");
        }
    }

    private ClusterFoundation foundation()
    {
        return ClusterFoundation.draw(2, 500, members.addresses(),
            IntStream.range(0, KvctlMembers.COUNT).mapToObj(members::peer).toList());
    }

    private BlankServer blank(final int number)
    {
        return StoreClient.builder().server(members.address(number)).deadline(DEADLINE).connectBlank();
    }

    /** As if the command had died when only one server knew that it is a member. */
    @Test
    void shouldGoOnWhereItWasCutShort() throws Exception
    {
        members.startAll();
        final ClusterFoundation foundation = foundation();
        final List<BlankServer> blank = new ArrayList<>();
        try
        {
            for (int i = 0; i < KvctlMembers.COUNT; i++)
            {
                blank.add(blank(i));
                assertEquals(0, blank.get(i).prepared());
                blank.get(i).prepare(i + 1, foundation);
            }
            try (BlankServer stranger = blank(0))
            {
                final StoreException refused =
                    assertThrows(StoreException.class, () -> stranger.prepare(1, foundation()));
                assertTrue(refused.getMessage().contains("another client is about to"), refused.getMessage());
            }
            blank.get(1).found(foundation.table().id());
        }
        finally
        {
            blank.forEach(BlankServer::close);
        }
        final String ready = members.member(1).line();
        assertTrue(ready.startsWith("ready: " + members.address(1)), ready);
        final String table = HexFormat.of().toHexDigits(foundation.table().id());
        assertRefused(2, "partitions=2 wanted=3", KvctlMembers.create(
            "--partitions", "3", members.address(0), members.address(1), members.address(2)));
        final KvctlCall.Result formed = KvctlMembers.create(
            "-o", "json", members.address(0), members.address(1), members.address(2));
        assertEquals(0, formed.exitCode(), formed.err());
        assertTrue(formed.out().contains("\"table_id\":\"" + table + "\",\"partitions\":2,\"replicas\":3," +
            "\"lease_ms\":500"), formed.out());
        assertTrue(KvctlMembers.awaitServed(members.address(2)).contains("table " + table));
    }

    @Tag("full")
    @Test
    void shouldSayThatAServerHasForgottenWhatItWasToBecome() throws Exception
    {
        members.startAll();
        try (BlankServer first = blank(0))
        {
            first.form(1, foundation());
        }
        assertTrue(members.member(0).line().startsWith("ready: "));
        final KvctlCall.Result result =
            KvctlMembers.create(members.address(0), members.address(1), members.address(2));
        assertRefused(1, "to begin anew, stop the members", result);
        assertTrue(result.err().contains("nothing was changed"), result.err());
    }

    @Test
    void shouldRefuseToWaitWithOptionsOfNoMember() throws Exception
    {
        KvctlCall.of("server", "--data", members.data(0).toString(), "--listen", "127.0.0.1:0", "--peer-listen",
            members.peer(0)).runHere().assertFailed(2, "name its ports");
        KvctlCall.of("server", "--listen", members.address(0), "--peer-listen", members.peer(0)).runHere()
            .assertFailed(2, "--data");
        KvctlCall.of("server", "--data", members.data(0).toString(), "--listen", members.address(0), "--peer-listen",
            "192.0.2.1:7").runHere().assertFailed(2, "this machine only");
        try (Stream<Path> made = Files.list(directory))
        {
            assertEquals(0, made.count());
        }
    }

    /** Half a minute, most of it for starts, an election and a lease. */
    @Test
    @Tag("full")
    void shouldShowWhatClientsNoticeOfAKilledLeader() throws Exception
    {
        final KvctlCall.Result result = KvctlCall.of("cluster", "demo", "--memory", "64m").run();
        assertEquals(0, result.exitCode(), result.err());
        assertTrue(result.out().contains("nothing is lost: "), result.out());
        assertTrue(result.out().contains("they left nothing behind"), result.out());
    }
}
