package org.onesided.server.raft;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.onesided.server.raft.peers.Peer;

/**
 * A change of members as changes of one member each: others come first, and then some leave. A leader of Ratis begins
 * its term with an entry that has the newest members only, even if the change to them is not committed; the step in
 * which both majorities count may be lost thereby. That does no harm if any majority before a change has a member in
 * common with any behind it, which is so if they differ by one.
 *
 * <p>A member that is silent leaves in the step in which another one comes. With both, a majority would need the one
 * that comes, which may not vote yet when it begins anew after a snapshot: the partition could stay without a leader.
 * There can be two leaders then only if the silent member comes back amid that step, and the members cannot reach each
 * other.
 */
final class MemberSteps
{
    /** Ratis answers a request a moment before it takes another one, and does so in a thread of its own. */
    private static final Executor LATER = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);

    /** After so many looks, half a minute, it takes the step all the same: a member may answer and get no further. */
    private static final int MOST_LOOKS = 600;

    private MemberSteps()
    {
    }

    /**
     * @param before all members now.
     * @param after  all members in the end.
     * @param silent those that do not answer.
     * @return all members behind each step, in their order; one step at least, which may change nothing.
     */
    static List<List<Peer>> of(final Collection<Peer> before, final List<Peer> after, final Collection<Long> silent)
    {
        final List<List<Peer>> steps = new ArrayList<>();
        final Map<Long, Peer> now = byNumber(before);
        final Map<Long, Peer> end = byNumber(after);
        final Deque<Long> silentOnes = new ArrayDeque<>(
            now.keySet().stream().filter((each) -> silent.contains(each) && !end.containsKey(each)).toList());
        for (final Peer each : after)
        {
            if (now.put(each.number(), each) == null)
            {
                if (!silentOnes.isEmpty())
                {
                    now.remove(silentOnes.remove());
                }
                steps.add(List.copyOf(now.values()));
            }
        }
        for (final Peer each : before)
        {
            if (!end.containsKey(each.number()) && now.remove(each.number()) != null)
            {
                steps.add(List.copyOf(now.values()));
            }
        }
        return steps.isEmpty() ? List.of(after) : steps;
    }

    /**
     * Takes the steps, one when the other is done. What one that fails leaves stays. Before one leaves, it waits until
     * those that stay follow: one that has just come may not vote yet, and the one that leaves does not stand for
     * election, so there might be nobody to lead if the leader died.
     *
     * @param before  all members now.
     * @param after   all members in the end.
     * @param silent  those that do not answer.
     * @param follows tells whether these members have all that is needed to vote, or cannot be waited for.
     * @param ask     for a step: from the members with these numbers to those.
     * @return completes when all are done, or one has failed.
     */
    static CompletableFuture<Void> take(
        final Collection<Peer> before,
        final List<Peer> after,
        final Collection<Long> silent,
        final Predicate<Collection<Long>> follows,
        final BiFunction<Collection<Long>, List<Peer>, CompletableFuture<Void>> ask)
    {
        CompletableFuture<Void> taken = CompletableFuture.completedFuture(null);
        Collection<Long> from = byNumber(before).keySet();
        boolean isFirst = true;
        for (final List<Peer> to : of(before, after, silent))
        {
            final Collection<Long> present = from;
            final Collection<Long> next = byNumber(to).keySet();
            if (!isFirst)
            {
                taken = taken.thenRunAsync(() -> {}, LATER);
            }
            if (next.size() < present.size())
            {
                taken = taken.thenCompose((done) -> await(() -> follows.test(next), MOST_LOOKS));
            }
            taken = taken.thenCompose((done) -> ask.apply(present, to));
            from = next;
            isFirst = false;
        }
        return taken;
    }

    private static CompletableFuture<Void> await(final BooleanSupplier isSo, final int looks)
    {
        return looks == 0 || isSo.getAsBoolean() ? CompletableFuture.completedFuture(null) :
            CompletableFuture.runAsync(() -> {}, LATER).thenCompose((done) -> await(isSo, looks - 1));
    }

    private static Map<Long, Peer> byNumber(final Collection<Peer> members)
    {
        final Map<Long, Peer> byNumber = new TreeMap<>();
        members.forEach((each) -> byNumber.put(each.number(), each));
        return byNumber;
    }
}
