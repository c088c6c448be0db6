package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onesided.server.raft.peers.Peer;

/** What Ratis is asked for when members change. */
class MemberStepsTest
{
    private static final int FIRST_PORT = 7000;
    private static final int NUMBERS = 6;
    private static final long LONGEST_SECONDS = 60;

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

    private static List<Peer> peers(final long... numbers)
    {
        return Arrays.stream(numbers).mapToObj((number) ->
            new Peer(number, Peer.address("127.0.0.1:" + (FIRST_PORT + number)))).toList();
    }

    private static Set<Long> numbers(final Collection<Peer> peers)
    {
        return new TreeSet<>(peers.stream().map(Peer::number).toList());
    }

    private CompletableFuture<Void> note(final Collection<Long> before, final List<Peer> after)
    {
        asked.add(before + " " + numbers(after));
        return CompletableFuture.completedFuture(null);
    }

    private static Set<Long> members(final int bits)
    {
        final Set<Long> members = new TreeSet<>();
        for (int i = 0; i < NUMBERS; i++)
        {
            if ((bits & 1 << i) != 0)
            {
                members.add(i + 1L);
            }
        }
        return members;
    }

    private static List<Peer> peers(final Set<Long> numbers)
    {
        return peers(numbers.stream().mapToLong(Long::longValue).toArray());
    }

    @Test
    void shouldLetOneComeBeforeAnotherOneLeaves() throws Exception
    {
        MemberSteps.take(peers(1, 2, 3), peers(1, 2, 4), List.of(), (stay) -> true, this::note)
            .get(LONGEST_SECONDS, TimeUnit.SECONDS);
        assertEquals(List.of("[1, 2, 3] [1, 2, 3, 4]", "[1, 2, 3, 4] [1, 2, 4]"), asked);
    }

    @Test
    void shouldChangeOneMemberInEachStep()
    {
        for (int i = 1; i < 1 << NUMBERS; i++)
        {
            for (int j = 1; j < 1 << NUMBERS; j++)
            {
                final List<List<Peer>> steps = MemberSteps.of(peers(members(i)), peers(members(j)), List.of());
                assertEquals(Math.max(1, Integer.bitCount(i ^ j)), steps.size());
                Set<Long> present = members(i);
                for (final List<Peer> step : steps)
                {
                    final Set<Long> next = numbers(step);
                    final int difference = Math.abs(present.size() - next.size());
                    assertTrue(difference == 1 || i == j);
                    assertTrue(present.containsAll(next) || next.containsAll(present));
                    // Never fewer than in the beginning or in the end.
                    assertTrue(next.size() >= Math.min(Integer.bitCount(i), Integer.bitCount(j)));
                    present = next;
                }
                assertEquals(members(j), present);
            }
        }
    }

    /** With both, a majority would need the one that comes, which may not vote yet. */
    @Test
    void shouldLetOneThatIsSilentLeaveAsAnotherOneComes() throws Exception
    {
        MemberSteps.take(peers(1, 2, 3), peers(1, 2, 4), List.of(3L, 9L), (stay) -> true, this::note)
            .get(LONGEST_SECONDS, TimeUnit.SECONDS);
        MemberSteps.take(peers(1, 2, 3, 4, 5), peers(1, 2, 3, 6, 7), List.of(5L), (stay) -> true, this::note)
            .get(LONGEST_SECONDS, TimeUnit.SECONDS);
        MemberSteps.take(peers(1, 2, 3), peers(1, 2, 3, 4), List.of(3L), (stay) -> true, this::note)
            .get(LONGEST_SECONDS, TimeUnit.SECONDS);
        MemberSteps.take(peers(1, 2, 3, 4), peers(1, 2, 3), List.of(4L), (stay) -> true, this::note)
            .get(LONGEST_SECONDS, TimeUnit.SECONDS);
        assertEquals(List.of("[1, 2, 3] [1, 2, 4]",
            "[1, 2, 3, 4, 5] [1, 2, 3, 4, 6]", "[1, 2, 3, 4, 6] [1, 2, 3, 4, 6, 7]",
            "[1, 2, 3, 4, 6, 7] [1, 2, 3, 6, 7]", "[1, 2, 3] [1, 2, 3, 4]", "[1, 2, 3, 4] [1, 2, 3]"), asked);
    }

    @Test
    void shouldTakeNoStepAfterOneThatFails()
    {
        final CompletableFuture<Void> taken = MemberSteps.take(
            peers(1, 2, 3), peers(1, 2, 4), List.of(), (stay) -> true, (before, after) ->
        {
            asked.add(numbers(after).toString());
            return CompletableFuture.failedFuture(MembersChangeException.notLeading(null));
        });
        final ExecutionException failure =
            assertThrows(ExecutionException.class, () -> taken.get(LONGEST_SECONDS, TimeUnit.SECONDS));
        assertEquals(MembersChangeException.Kind.NOT_LEADING, ((MembersChangeException)failure.getCause()).kind());
        assertEquals(List.of("[1, 2, 3, 4]"), asked);
    }

    /** Ratis may answer in a thread that must end what it does before it can be asked again. */
    @Test
    void shouldNotAskInTheThreadThatAnswers() throws Exception
    {
        final CompletableFuture<Void> first = new CompletableFuture<>();
        final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
        final CompletableFuture<Void> taken = MemberSteps.take(
            peers(1, 2, 3), peers(1, 2, 4), List.of(), (stay) -> true, (before, after) ->
        {
            threads.add(Thread.currentThread());
            return after.size() > 3 ? first : CompletableFuture.completedFuture(null);
        });
        first.complete(null);
        taken.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        assertEquals(2, threads.size());
        assertTrue(threads.get(0) == Thread.currentThread() && threads.get(1) != threads.get(0));
    }

    /** One that has just come may not vote yet. */
    @Test
    void shouldLetNobodyLeaveBeforeThoseWhoStayFollow() throws Exception
    {
        final List<String> looks = Collections.synchronizedList(new ArrayList<>());
        MemberSteps.take(peers(1, 2, 3), peers(1, 2, 4), List.of(), (stay) ->
        {
            looks.add(stay + " " + asked.size());
            return looks.size() == 3;
        }, this::note).get(LONGEST_SECONDS, TimeUnit.SECONDS);
        assertEquals(List.of("[1, 2, 4] 1", "[1, 2, 4] 1", "[1, 2, 4] 1"), looks);
        assertEquals(2, asked.size());
    }
}
