package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.testing.HangGuard;
import org.onesided.testing.TestSize;

/** A shard whose log has three members, each in a process of its own, which is killed without warning. */
class ReplicatedShardTest
{
    private static final int MEMBERS = 3;
    private static final int LENGTH = 40_000;
    private static final int ATTEMPTS = 20;
    private static final long PATIENCE_NS = HangGuard.nanos(90);
    /** Between the records and answers of a digest. */
    private static final Pattern PART = Pattern.compile(", (?=[akn]\\d+ |records |session )");

    @TempDir
    private Path directory;
    private final List<String> members = new ArrayList<>();
    private final List<ReplicaProcess> started = new ArrayList<>();
    private final Map<Long, ReplicaProcess> running = new LinkedHashMap<>();
    /** Increments of each counter that were answered. */
    private final Map<String, Integer> counts = new HashMap<>();
    private long requestId;
    /** Who answered last, or null. */
    private ReplicaProcess latest;

    @BeforeEach
    void setUp() throws Exception
    {
        for (int i = 0; i < MEMBERS; i++)
        {
            members.add(i + 1 + "@" + FreePorts.take());
        }
        for (int i = 1; i <= MEMBERS; i++)
        {
            start(i);
        }
        for (final ReplicaProcess member : running.values())
        {
            member.awaitReady();
        }
    }

    @AfterEach
    void tearDown()
    {
        // One that is stopped can be killed all the same.
        started.forEach(ReplicaProcess::close);
    }

    private ReplicaProcess start(final long number) throws IOException
    {
        final ReplicaProcess member =
            new ReplicaProcess(directory.resolve(Long.toString(number)), number, members, false);
        running.put(number, member);
        started.add(member);
        return member;
    }

    private ReplicaProcess kill(final ReplicaProcess member) throws InterruptedException
    {
        member.kill();
        running.remove(member.number());
        return member;
    }

    private ReplicaProcess awaitLeader() throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (System.nanoTime() - deadlineNs < 0)
        {
            for (final ReplicaProcess member : running.values())
            {
                if (member.leads())
                {
                    return member;
                }
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new AssertionError("nobody leads");
    }

    private ReplicaProcess follower(final ReplicaProcess leader)
    {
        return running.values().stream().filter((member) -> member != leader).findFirst().orElseThrow();
    }

    /** Sends a request to whoever leads, again and again with the same number, until it is answered. */
    private void perform(final String request) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        String answer = "";
        while (System.nanoTime() - deadlineNs < 0)
        {
            if (latest == null || !running.containsValue(latest))
            {
                latest = awaitLeader();
                latest.call("connect 0");
            }
            answer = latest.call(request);
            if (answer.equals("OK"))
            {
                return;
            }
            assertTrue(answer.startsWith("LOST") || answer.startsWith("NOT_LEADING"), answer);
            latest = null;
        }
        throw new AssertionError("request is not answered: request=" + request + " answer=" + answer);
    }

    private String increment()
    {
        requestId++;
        final String counter = "n" + requestId % 5;
        counts.merge(counter, 1, Integer::sum);
        return "increment 0 " + requestId + " " + counter;
    }

    private void write(final int count) throws InterruptedException
    {
        for (int i = 0; i < count; i++)
        {
            perform(increment());
            requestId++;
            final String key = "k" + requestId % Digests.KEYS;
            perform((i % 8 == 0 ? "large 0 " : "put 0 ") + requestId + " " + key + " " +
                (i % 8 == 0 ? 300_000 : i % 1000));
        }
    }

    /** Writes so much that the log's beginning is dropped. */
    private void writeBeyondSnapshots() throws InterruptedException
    {
        for (int i = 0; i < 60; i++)
        {
            requestId++;
            perform("large 0 " + requestId + " k" + i % 10 + " " + 5 * LENGTH);
        }
    }

    /** What one digest has and another has not: a whole one is too long to read. */
    private static String difference(final String expected, final String digest)
    {
        return expected.equals(digest) ? "" :
            "lacks " + without(expected, digest) + " and has " + without(digest, expected);
    }

    private static List<String> without(final String digest, final String other)
    {
        final List<String> parts = new ArrayList<>(List.of(PART.split(digest)));
        parts.removeAll(List.of(PART.split(other)));
        return parts;
    }

    /** All members have the same table, and the same answers of sessions, with no write lost or done twice. */
    private void assertSame() throws InterruptedException
    {
        // The same entry for all: before it is applied, the digests may differ.
        perform(increment());
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        final ReplicaProcess leader = awaitLeader();
        final String expected = leader.call("digest");
        for (final ReplicaProcess member : running.values())
        {
            String digest = member.call("digest");
            while (!digest.equals(expected) && System.nanoTime() - deadlineNs < 0)
            {
                TimeUnit.MILLISECONDS.sleep(20);
                digest = member.call("digest");
            }
            assertEquals("", difference(expected, digest), "member " + member.number());
        }
        for (final Map.Entry<String, Integer> counter : counts.entrySet())
        {
            final byte[] text = Integer.toString(counter.getValue()).getBytes(StandardCharsets.US_ASCII);
            assertTrue(expected.contains(counter.getKey() + " length=" + text.length + " hash=" +
                Arrays.hashCode(text) + " "), () -> "counter " + counter + " in " + expected);
        }
    }

    @Test
    void shouldGoOnWhereAKilledLeaderEnded() throws Exception
    {
        write(20);
        for (int i = 0; i < TestSize.of(2, 1); i++)
        {
            final ReplicaProcess leader = latest;
            final List<String> inFlight = new ArrayList<>();
            final List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int j = 0; j < 4; j++)
            {
                final String request = increment();
                inFlight.add(request);
                answers.add(leader.begin(request));
            }
            kill(leader);
            for (final String request : inFlight)
            {
                // Done or not: sent again, it is done once.
                perform(request);
            }
            write(10);
            start(leader.number()).awaitReady();
            assertSame();
            assertEquals(4, answers.stream().filter(CompletableFuture::isDone).count(), "requests that never end");
        }
    }

    /** The stopped leader does not know that it was deposed. */
    @Test
    void shouldNotSayThatAWriteIsNotDoneWhenItIsDeposed() throws Exception
    {
        write(20);
        final ReplicaProcess leader = latest;
        final List<String> inFlight = new ArrayList<>();
        final List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            inFlight.add(increment());
            requestId++;
            inFlight.add("large 0 " + requestId + " k" + i + " 900000");
        }
        for (final String request : inFlight)
        {
            answers.add(leader.begin(request));
        }
        // Some have been written by now, and some not: there is no telling.
        leader.signal("STOP");
        running.remove(leader.number());
        latest = null;
        for (final String request : inFlight)
        {
            perform(request);
        }
        write(10);
        leader.signal("CONT");
        running.put(leader.number(), leader);
        for (final CompletableFuture<String> answer : answers)
        {
            final String text = ReplicaProcess.await(answer);
            assertTrue(text.equals("OK") || text.startsWith("LOST"), text);
        }
        assertSame();
        write(5);
        // Whoever leads, the one that was deposed has what it needs to lead again.
        kill(latest);
        write(10);
        assertSame();
    }

    @Test
    @Tag("full")
    void shouldSayWhoLeadsInsteadOfAnswering() throws Exception
    {
        write(1);
        assertSame();
        requestId++;
        final String request = "put 0 " + requestId + " k0 10";
        int named = 0;
        // On a busy machine the leader may change at any time.
        for (int attempt = 0; named < 2; attempt++)
        {
            assertTrue(attempt < ATTEMPTS, "no follower has named the leader twice");
            final ReplicaProcess leader = awaitLeader();
            final ReplicaProcess follower = follower(leader);
            follower.call("connect 0");
            named = 0;
            while (named < 2 && follower.call(request).equals("NOT_LEADING " + leader.number()))
            {
                named++;
            }
        }
        // The follower remembers nothing of it.
        perform(request);
        assertSame();
    }

    @Test
    @Tag("full")
    void shouldGiveASnapshotToAFollowerThatIsFarBehind() throws Exception
    {
        write(5);
        final ReplicaProcess follower = kill(follower(awaitLeader()));
        writeBeyondSnapshots();
        final ReplicaProcess back = start(follower.number());
        back.awaitReady();
        assertSame();
        // Another leader, on a busy machine, and a snapshot that is finished meanwhile may give it one more.
        assertTrue(back.installed() >= 1 && back.installed() <= 3, "installed=" + back.installed());
        // It starts with what it was given.
        kill(back);
        write(5);
        start(follower.number()).awaitReady();
        assertSame();
    }

    @Test
    void shouldGiveASnapshotToAMemberWithAnEmptyDisk() throws Exception
    {
        write(5);
        final ReplicaProcess lost = kill(follower(awaitLeader()));
        writeBeyondSnapshots();
        final int port = FreePorts.take();
        final ReplicaProcess joining =
            new ReplicaProcess(directory.resolve("4"), 4, List.of("4@" + port), true);
        running.put(4L, joining);
        started.add(joining);
        joining.awaitReady();
        final List<String> addresses = new ArrayList<>(running.values().stream().map(ReplicaProcess::address).toList());
        assertEquals(MEMBERS, addresses.size(), "members without " + lost.number());
        assertFalse(joining.leads());
        final String change = "members " + String.join(" ", addresses);
        String changed = awaitLeader().call(change);
        // On a busy machine the leader may change at any time.
        for (int attempt = 1; !changed.equals("changed") && attempt < ATTEMPTS; attempt++)
        {
            changed = awaitLeader().call(change);
        }
        assertEquals("changed", changed);
        write(5);
        assertSame();
        assertTrue(joining.installed() > 0, "no snapshot was installed");
        // It votes from now on: with it and one more there is a majority.
        kill(awaitLeader());
        write(5);
    }

    @Test
    @Tag("full")
    void shouldAcknowledgeNothingWithoutAMajority() throws Exception
    {
        write(5);
        final ReplicaProcess leader = awaitLeader();
        final List<ReplicaProcess> lost = new ArrayList<>();
        while (running.size() > 1)
        {
            lost.add(kill(follower(leader)));
        }
        leader.call("connect 0");
        latest = leader;
        final String request = increment();
        final CompletableFuture<String> answer = leader.begin(request);
        // However long it waits, there is no answer but that its fate is not known.
        TimeUnit.MILLISECONDS.sleep(1500);
        assertTrue(!answer.isDone() || answer.join().startsWith("LOST"), () -> "answer " + answer.join());
        for (final ReplicaProcess member : lost)
        {
            start(member.number()).awaitReady();
        }
        perform(request);
        write(5);
        assertSame();
    }
}
