package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.ClusterMember;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterState;
import org.onesided.testing.HangGuard;

/**
 * Replicas of partitions go from one member to another while a client works.
 */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlReplicaMovesTest
{
    private static final int SERVERS = 4;
    private static final int TRIES = 10;
    private static final int ROUNDS = 4;
    /** From the start of a command until its leader dies. */
    private static final long FIRST_MS = 700;
    private static final long STEP_MS = 300;
    /** Exit code of a command that is to be repeated. */
    private static final int NOT_DONE = 9;
    /** Exit code where a server does not answer. */
    private static final int AWAY = 4;

    @TempDir
    private Path directory;

    private KvctlMembers members;

    /** Of four partitions, members 1 to 4 keep 0, 1, 2; 0, 1, 3; 0, 2, 3; and 1, 2, 3. */
    @BeforeEach
    void form() throws Exception
    {
        members = new KvctlMembers(directory);
        final List<String> arguments = new ArrayList<>(List.of("--partitions", "4", "--lease", "500ms"));
        for (int i = 0; i < SERVERS; i++)
        {
            members.startBlank(i);
            arguments.add(members.address(i));
        }
        final KvctlCall.Result formed = KvctlMembers.create(arguments.toArray(String[]::new));
        assertEquals(0, formed.exitCode(), formed.err());
        for (int i = 0; i < SERVERS; i++)
        {
            assertTrue(members.member(i).line().startsWith("ready: " + members.address(i)));
        }
        KvctlMembers.awaitServed(all());
    }

    @AfterEach
    void close() throws Exception
    {
        members.close();
    }

    private String all()
    {
        return String.join(",", IntStream.range(0, SERVERS).mapToObj(members::address).toList());
    }

    private static StoreClient client(final String servers)
    {
        return StoreClient.builder().server(servers).device("tcp")
            .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build();
    }

    /** On a busy machine leaders may change amid a command, which then asks to be repeated. */
    private KvctlCall.Result change(final String... arguments)
    {
        final KvctlCall.Result result = repeated("", arguments);
        assertEquals(0, result.exitCode(), result.err());
        return result;
    }

    /** Repeats a command that asks for it, or met a member that was beginning anew, until it says a text. */
    private KvctlCall.Result repeated(final String wanted, final String... arguments)
    {
        KvctlCall.Result result = cluster(arguments);
        for (int i = 1; i < TRIES && (wanted.isEmpty() || !result.err().contains(wanted)) && result.exitCode() != 0 &&
            (result.exitCode() == NOT_DONE || result.exitCode() == AWAY ||
                result.err().contains("repeat the command")); i++)
        {
            result = cluster(arguments);
        }
        return result;
    }

    private KvctlCall.Result cluster(final String... arguments)
    {
        final List<String> line = new ArrayList<>(List.of("cluster"));
        line.addAll(List.of(arguments));
        return KvctlCall.of(line.toArray(String[]::new)).with("KVCTL_DEADLINE", "60s")
            .with("KVCTL_SERVER", all()).runHere();
    }

    private void assertRefused(final int exitCode, final String text, final String... arguments)
    {
        final KvctlCall.Result result = cluster(arguments);
        assertEquals(exitCode, result.exitCode(), result.err());
        assertTrue(result.err().contains(text), result.err());
        assertEquals(1, result.err().lines().count(), result.err());
    }

    private static void assertAllThere(final String seeds, final int acknowledged)
    {
        try (StoreClient client = client(seeds))
        {
            for (int i = 0; i < acknowledged; i++)
            {
                assertEquals("value-" + i, client.get("work-" + i));
            }
        }
    }

    private void awaitSound() throws Exception
    {
        final KvctlCall.Result status = KvctlMembers.status("--wait", "4m", all());
        assertEquals(0, status.exitCode(), status.err() + status.out());
    }

    /** The member that comes back has acknowledged entries and voted before: it must not forget that. */
    @Test
    void shouldMoveAReplicaAndBack() throws Exception
    {
        final int acknowledged;
        try (StoreClient client = client(all()); ClusterWork work = new ClusterWork(client))
        {
            work.awaitMore();
            assertRefused(2, "does not keep the partition", "move", "1", "3", "3");
            assertRefused(2, "keeps the partition already", "move", "0", "1", "2");
            assertRefused(2, "no such partition", "move", "4", "1", "2");
            assertRefused(0, "would move: partition=0 from=3 to=4", "move", "--dry-run", "0", "3", "4");

            assertTrue(change("move", "0", "3", members.address(3)).err().contains("moved 1 of 1"));
            assertTrue(change("move", "0", "3", "4").err().contains("it is so already"));
            work.awaitMore();
            change("transfer", "0", "4");
            work.awaitMore();
            // The leader goes, and one returns that had it before.
            change("move", "0", "4", "3");
            awaitSound();
            work.awaitMore();

            // At once: it may not have left the log yet.
            change("move", "1", "1", "3");
            change("move", "1", "3", "1");
            work.awaitMore();

            // Now the member that came back is one of two that are left of the partition.
            members.member(0).end(true);
            work.awaitMore();
            assertTrue(members.start(0).line().startsWith("ready: "));
            awaitSound();
            members.member(1).end(true);
            work.awaitMore();
            acknowledged = work.end();
        }
        final String left = String.join(",", members.address(0), members.address(2), members.address(3));
        assertTrue(KvctlMembers.awaitServed(left).contains("1,2,3"));
        assertRefused(2, "would have fewer replicas", "drain", "1");
        assertAllThere(left, acknowledged);
    }

    /** As if the command, or the leader, had ended when the new member was there, and the other one not yet gone. */
    private void leaveAMoveHalfDone(final List<Long> before, final int comes) throws Exception
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(120));
        final AtomicBoolean woken = new AtomicBoolean();
        boolean isDone = false;
        while (!isDone)
        {
            assertTrue(System.nanoTime() - endNs < 0, "the new member does not come");
            for (int i = 0; i < SERVERS && !isDone; i++)
            {
                try (ClusterMember member = StoreClient.builder().server(members.address(i)).connectMember())
                {
                    isDone = before.equals(member.led().get(0)) && member.change(0, before,
                        member.foundation().members(), (behind) -> wake(comes, woken)) == ClusterMember.Outcome.DONE;
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** One that has just left the partition must be told that it is to come again. */
    private void wake(final int comes, final AtomicBoolean woken)
    {
        if (!woken.getAndSet(true))
        {
            try (ClusterMember member = StoreClient.builder().server(members.address(comes)).connectMember())
            {
                member.take(0);
            }
        }
    }

    @Test
    void shouldFinishAMoveThatWasCutBetweenItsSteps() throws Exception
    {
        try (StoreClient client = client(all()); ClusterWork work = new ClusterWork(client))
        {
            work.awaitMore();
            leaveAMoveHalfDone(List.of(1L, 2L, 3L), 3);
            assertTrue(change("move", "0", "3", "4").err().contains("partition 0: members 1,2,4"));
            assertTrue(change("move", "0", "3", "4").err().contains("it is so already"));
            work.awaitMore();
            leaveAMoveHalfDone(List.of(1L, 2L, 4L), 2);
            final KvctlCall.Result evened = change("rebalance");
            assertTrue(evened.err().lines().anyMatch((line) -> line.contains("partition 0: members ") &&
                line.split(",").length == 3), evened.err());
            work.awaitMore();
            assertAllThere(all(), work.end());
        }
    }

    /** It knows nothing of the move: others do not vote for it, and go on. */
    @Tag("full")
    @Test
    void shouldNotBeDisturbedByAMemberThatWasDownMeanwhile() throws Exception
    {
        final int acknowledged;
        try (StoreClient client = client(all()); ClusterWork work = new ClusterWork(client))
        {
            work.awaitMore();
            members.member(2).end(true);
            work.awaitMore();
            change("move", "0", "3", "4");
            work.awaitMore();
            assertTrue(members.start(2).line().startsWith("ready: "));
            awaitSound();
            awaitLeft();
            work.awaitMore();
            awaitSound();
            // By its old log it takes the partition again.
            change("move", "0", "4", "3");
            awaitSound();
            members.member(0).end(true);
            work.awaitMore();
            acknowledged = work.end();
        }
        assertAllThere(String.join(",", members.address(1), members.address(2), members.address(3)), acknowledged);
    }

    /** The member hears from the others that it keeps the partition no more. */
    private void awaitLeft() throws Exception
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(120));
        while (state(2).map((state) -> state.partitions().get(0).isKept()).orElse(true))
        {
            assertTrue(System.nanoTime() - endNs < 0, "it still believes that it keeps the partition");
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Empty if it does not answer, as one that begins anew does not. */
    private Optional<ClusterState> state(final int index)
    {
        try
        {
            return Optional.of(StoreClient.builder().server(members.address(index)).clusterState());
        }
        catch (final StoreException e)
        {
            return Optional.empty();
        }
    }

    /** In whatever step it dies: the move is finished when the command is repeated, by the same members. */
    @Tag("full")
    @Test
    void shouldFinishAMoveWhoseLeaderIsKilled() throws Exception
    {
        final List<KvctlMembers.Member> running =
            new ArrayList<>(IntStream.range(0, SERVERS).mapToObj(members::member).toList());
        final int acknowledged;
        try (StoreClient client = client(all()); ClusterWork work = new ClusterWork(client))
        {
            for (int i = 0; i < ROUNDS; i++)
            {
                work.awaitMore();
                final String from = i % 2 == 0 ? "3" : "4";
                final String to = i % 2 == 0 ? "4" : "3";
                final int leader = leaderOfFirst();
                final Process move = KvctlCall.of("cluster", "move", "0", from, to).with("KVCTL_DEADLINE", "60s")
                    .with("KVCTL_SERVER", all()).start();
                TimeUnit.MILLISECONDS.sleep(FIRST_MS + i * STEP_MS);
                running.get(leader).end(true);
                running.set(leader, members.start(leader));
                assertTrue(running.get(leader).line().startsWith("ready: "));
                change("move", "0", from, to);
                assertTrue(move.waitFor(HangGuard.seconds(240), TimeUnit.SECONDS));
                awaitSound();
            }
            acknowledged = work.end();
        }
        assertAllThere(all(), acknowledged);
    }

    /** The index of the member that leads partition 0. */
    private int leaderOfFirst() throws Exception
    {
        long leader = 0;
        for (int i = 0; leader == 0; i = (i + 1) % SERVERS)
        {
            leader = state(i).map((state) -> state.partitions().get(0).leader()).orElse(0L);
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return (int)leader - 1;
    }

    @Tag("full")
    @Test
    void shouldDrainAMemberWhileAnotherIsKilled() throws Exception
    {
        final int acknowledged;
        try (StoreClient client = client(all()); ClusterWork work = new ClusterWork(client))
        {
            members.startBlank(SERVERS);
            assertTrue(change("add", members.address(SERVERS)).err().contains("keeps no partition yet"));
            assertTrue(change("rebalance", "--dry-run").err().contains("would move a replica: "));
            work.awaitMore();

            final Process drain = KvctlCall.of("cluster", "drain", "4").with("KVCTL_DEADLINE", "60s")
                .with("KVCTL_SERVER", all()).start();
            try (var err = drain.errorReader())
            {
                String line = err.readLine();
                while (line != null && !line.contains("moved 1 of 3"))
                {
                    line = err.readLine();
                }
                assertTrue(line != null, "no replica was moved");
                members.member(1).end(true);
                drain.destroyForcibly();
            }
            assertTrue(drain.waitFor(HangGuard.seconds(60), TimeUnit.SECONDS));
            work.awaitMore();
            assertTrue(change("drain", "4").err().contains("the member keeps nothing now"));
            work.awaitMore();
            assertTrue(members.start(1).line().startsWith("ready: "));
            awaitSound();
            assertTrue(change("remove", "4").err().contains("removed=4@" + members.address(3)));
            members.member(3).end(false);
            work.awaitMore();
            change("rebalance");
            acknowledged = work.end();
        }
        final String left = String.join(
            ",", members.address(0), members.address(1), members.address(2), members.address(SERVERS));
        final String status = KvctlMembers.awaitServed("-o", "json", left);
        assertEquals(4, status.split("\"keeps\":3,", -1).length - 1, status);
        assertFalse(status.contains(members.address(3)), status);
        assertAllThere(left, acknowledged);
    }

    private void awaitUnserved(final int... partitions) throws Exception
    {
        final String wanted = IntStream.of(partitions).mapToObj((each) -> each + " ").toList().toString();
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(120));
        String unserved = "";
        while (!unserved.equals(wanted))
        {
            assertTrue(System.nanoTime() - endNs < 0, unserved);
            TimeUnit.MILLISECONDS.sleep(200);
            final String json = KvctlMembers.status("-o", "json", members.address(2)).out();
            unserved = IntStream.range(0, SERVERS).filter((i) ->
                json.matches("(?s).*\"partition\":" + i + ",[^{}\\[\\]]*\"served\":false.*"))
                .mapToObj((each) -> each + " ").toList().toString();
        }
    }

    /** Half of the members do not answer, and two partitions have no leader: the others move all the same. */
    @Tag("full")
    @Test
    void shouldMoveOthersWhileTwoPartitionsHaveNoLeader() throws Exception
    {
        for (int i = SERVERS; i < SERVERS + 2; i++)
        {
            members.startBlank(i);
            change("add", members.address(i));
        }
        for (final int i : new int[]{0, 1, SERVERS + 1})
        {
            members.member(i).end(true);
        }
        awaitUnserved(0, 1);
        assertTrue(change("move", "2", "1", "5").err().contains("moved 1 of 1"));
        assertRefused(NOT_DONE, "the partition has no leader", "move", "0", "1", "5");
        final KvctlCall.Result drained = repeated("moved 1 of 1: partition=3 from=2 to=5", "drain", "2");
        assertEquals(NOT_DONE, drained.exitCode(), drained.err());
        assertTrue(drained.err().contains("moved 1 of 1: partition=3 from=2 to=5"), drained.err());
        assertTrue(drained.err().contains("may keep them still, repeat the command when they are served: member=2 " +
            "partitions=[0, 1]"), drained.err());
        final KvctlCall.Result even = repeated("partitions are left out, ", "rebalance");
        assertEquals(NOT_DONE, even.exitCode(), even.err());
        assertTrue(even.err().contains("partitions are left out, "), even.err());
        assertRefused(NOT_DONE, "not certain that the member keeps none of them", "remove", "6");
        for (final int i : new int[]{0, 1, SERVERS + 1})
        {
            assertTrue(members.start(i).line().startsWith("ready: "));
        }
        awaitSound();
        assertTrue(change("drain", "2").err().contains("the member keeps nothing now"));
        assertTrue(change("remove", "2").err().contains("removed=2@" + members.address(1)));
        awaitSound();
    }
}
