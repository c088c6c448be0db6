package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.ClusterMember;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.testing.HangGuard;

/**
 * Members of a cluster come and go while clients work.
 */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlMembersChangeTest
{
    private static final int TRIES = 10;
    /** Exit code of a command that is to be repeated. */
    private static final int NOT_DONE = 9;

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
        return StoreClient.builder().server(members.address(0) + "," + members.address(1)).device("tcp")
            .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build();
    }

    /** On a busy machine leaders may change amid a command, which then asks to be repeated. */
    private KvctlCall.Result change(final String... arguments) throws Exception
    {
        KvctlCall.Result result = members.cluster(arguments);
        for (int i = 1; i < TRIES && result.exitCode() == NOT_DONE && result.err().contains("repeat the command"); i++)
        {
            result = members.cluster(arguments);
        }
        return result;
    }

    /** On a busy machine a partition may have no leader for a moment, and then nobody knows who keeps it. */
    private KvctlCall.Result plan(final String... arguments) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(120));
        KvctlCall.Result result = members.cluster(arguments);
        while (result.err().contains("not known, no leader answers") && System.nanoTime() - endNs < 0)
        {
            TimeUnit.MILLISECONDS.sleep(50);
            result = members.cluster(arguments);
        }
        return result;
    }

    private static void assertDone(final String text, final KvctlCall.Result result)
    {
        assertEquals(0, result.exitCode(), result.err());
        assertTrue(result.err().contains(text), result.err());
    }

    private static void assertRefused(final int exitCode, final String text, final KvctlCall.Result result)
    {
        assertEquals(exitCode, result.exitCode(), result.err());
        assertTrue(result.err().contains(text), result.err());
    }

    /** It hears that it was removed when it asks for votes, as its leader has gone silent. */
    private static void awaitRemoved(final String address) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(120));
        KvctlCall.Result status = KvctlMembers.status(address);
        while (!status.err().contains("removed from its cluster") && System.nanoTime() - endNs < 0)
        {
            TimeUnit.MILLISECONDS.sleep(50);
            status = KvctlMembers.status(address);
        }
        assertRefused(4, "removed from its cluster", status);
    }

    private static void delete(final Path path) throws IOException
    {
        try (Stream<Path> all = Files.walk(path))
        {
            for (final Path each : all.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(each);
            }
        }
    }

    @Test
    void shouldChangeAllMembersWhileAClientWorks() throws Exception
    {
        final int acknowledged;
        try (StoreClient client = client(); ClusterWork work = new ClusterWork(client))
        {
            work.awaitMore();
            members.startBlank(3);
            assertDone("partition 0: 1,2,3 becomes 1,2,3,4", plan("add", "--dry-run", members.address(3)));
            final KvctlCall.Result dry = plan("add", "--dry-run", "-o", "json", members.address(3));
            assertDone("partition 0: 1,2,3 becomes 1,2,3,4", dry);
            assertTrue(dry.out().startsWith("{\"dry_run\":true,\"added\":4,\"removed\":0,\"partitions\":[" +
                "{\"partition\":0,\"is_known\":true,\"members\":\"1,2,3\",\"becomes\":\"1,2,3,4\"},"), dry.out());
            assertDone("members=4 losses that they survive=1 added=4@" + members.address(3),
                change("add", members.address(3)));
            assertDone("a member already", change("add", members.address(3)));
            work.awaitMore();

            // A lost disk.
            members.member(2).end(true);
            delete(members.data(2));
            members.startBlank(4);
            assertDone("removed=3@" + members.address(2), change("replace", "3", members.address(4)));
            work.awaitMore();

            members.startBlank(5);
            assertDone("added=6@" + members.address(5),
                change("replace", members.address(1), members.address(5)));
            assertDone("stop the server " + members.address(0), change("remove", "1"));
            work.awaitMore();
            awaitRemoved(members.address(0));
            members.member(0).end(false);
            members.member(1).end(false);
            work.awaitMore();
            acknowledged = work.end();
        }
        final String left = String.join(",", members.address(3), members.address(4), members.address(5));
        final String status = KvctlMembers.awaitServed(left);
        for (final String line : List.of("4 ", "5 ", "6 "))
        {
            assertTrue(status.lines().anyMatch((each) -> each.startsWith(line) && each.contains("yes")), status);
        }
        assertFalse(status.contains(members.address(0)), status);
        // A client that knew none of them before; a member that joined comes back.
        members.member(3).end(true);
        assertTrue(members.start(3).line().startsWith("ready: "));
        try (StoreClient client = StoreClient.builder().server(left).device("tcp")
            .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build())
        {
            for (int i = 0; i < acknowledged; i++)
            {
                assertEquals("value-" + i, client.get("work-" + i));
            }
        }
        KvctlCall.of("server", "--data", members.data(0).toString(), "--listen", members.address(0)).runHere()
            .assertFailed(1, "removed from its cluster");
        final KvctlCall.Result info = KvctlCall.of("data", "info", members.data(0).toString()).runHere();
        assertTrue(info.out().contains("member  1, removed, of 3"), info.out() + info.err());
    }

    /** The command dies with the first partition changed, and another one does the rest. */
    @Tag("full")
    @Test
    void shouldGoOnWhereItWasCut() throws Exception
    {
        members.startBlank(3);
        final Process cut = KvctlCall.of("cluster", "add", members.address(3))
            .with("KVCTL_SERVER", members.address(0)).start();
        try (var err = cut.errorReader())
        {
            String line = err.readLine();
            while (line != null && !line.contains("members 1,2,3,4"))
            {
                line = err.readLine();
            }
            assertTrue(line != null, "no partition was changed");
            cut.destroyForcibly();
        }
        assertTrue(cut.waitFor(HangGuard.seconds(60), TimeUnit.SECONDS));
        assertDone("added=4@" + members.address(3), change("add", members.address(3)));
        final KvctlCall.Result again = plan("add", "--dry-run", members.address(3));
        for (int i = 0; i < 3; i++)
        {
            assertDone("partition " + i + ": 1,2,3,4 stays", again);
        }
    }

    /** A command that was cut has let the one in, and has not taken the other out. */
    @Test
    void shouldFinishToReplaceAMember() throws Exception
    {
        members.startBlank(3);
        assertDone("added=4@" + members.address(3), change("add", members.address(3)));
        assertDone("added=4@" + members.address(3) + " removed=3@" + members.address(2),
            change("replace", "3", members.address(3)));
        assertRefused(2, "both members keep the partition", members.cluster("replace", "2", members.address(3)));
    }

    /** The command dies when it has told one member of the new one, which is blank still. */
    @Tag("full")
    @Test
    void shouldAddAServerThatWasAnnouncedInVain() throws Exception
    {
        members.startBlank(3);
        try (ClusterMember member = StoreClient.builder().server(members.address(1)).connectMember())
        {
            member.announce(new ClusterFoundation.Member(member.next(), members.address(3), members.peer(3)));
        }
        assertDone("members=4 losses that they survive=1 added=5@" + members.address(3),
            change("add", members.address(3)));
        assertFalse(KvctlMembers.awaitServed(members.address(1)).lines().anyMatch((line) -> line.startsWith("4 ")));
    }

    @Test
    void shouldChangeNothingWhenItCannotBe() throws Exception
    {
        assertRefused(2, "no such member", members.cluster("remove", "7"));
        assertRefused(2, "no such member", members.cluster("replace", "127.0.0.1:1", members.address(3)));
        assertRefused(4, "nothing listens there", members.cluster("add", members.address(3)));
        assertDone("already", change("add", members.address(2)));
        try (KvctlServer alone = KvctlServer.start())
        {
            assertRefused(4, "not blank", members.cluster("add", alone.address()));
            assertRefused(1, "not a member of a cluster",
                KvctlCall.of("cluster", "remove", "--server", alone.address(), "1").runHere());
        }
        members.member(2).end(true);
        assertDone("survive=0 removed=3", change("remove", "3"));
        assertRefused(2, "at least two stay", members.cluster("remove", "2"));
        // On an empty disk, at the addresses that it had: with another number.
        delete(members.data(2));
        members.startBlank(2);
        assertDone("added=4@" + members.address(2), change("add", members.address(2)));
    }
}
