package org.onesided.tools.kvctl.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * Tells members that one of them has left: itself, too, as it may not have heard so from any log. The others listen
 * once all their logs have told them, and then take a new server at its address. Those who do not listen yet are asked
 * in turns, so that one that does not answer takes no time from the others.
 */
final class Farewell
{
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Tells a member that one has left. */
    @FunctionalInterface
    interface Telling
    {
        /**
         * @param to whom.
         * @return why it refuses; empty if it knows now.
         * @throws StoreException if it does not answer.
         */
        Optional<String> tell(ClusterState.Member to);
    }

    private final ClusterState.Member removed;
    private final Telling telling;
    private final Consumer<String> say;
    private final long longestNs;
    /** Why members refused when they were told last, by their numbers. */
    private final Map<Long, String> refusals = new TreeMap<>();
    /** Numbers of those that know. */
    private final Set<Long> heard = new TreeSet<>();

    /**
     * @param removed the one that has left.
     * @param telling tells a member.
     * @param say     hears of what goes on, in lines.
     */
    Farewell(final ClusterState.Member removed, final Telling telling, final Consumer<String> say)
    {
        this(removed, telling, say, LONGEST_NS);
    }

    /** As above, with the time in nanoseconds for all who are told together. */
    Farewell(
        final ClusterState.Member removed, final Telling telling, final Consumer<String> say, final long longestNs)
    {
        this.removed = removed;
        this.telling = telling;
        this.say = say;
        this.longestNs = longestNs;
    }

    /**
     * Tells members whose logs say that it has left.
     *
     * @param members to tell.
     */
    void tell(final List<ClusterState.Member> members)
    {
        final List<ClusterState.Member> untold = new ArrayList<>(members);
        final long beginNs = System.nanoTime();
        boolean isSaid = false;
        untold.removeIf(this::tryTell);
        while (!untold.isEmpty() && System.nanoTime() - beginNs < longestNs && !Thread.currentThread().isInterrupted())
        {
            if (!isSaid && System.nanoTime() - beginNs > SILENT_NS)
            {
                say.accept("waiting until all members have heard from their logs that the server has left");
                isSaid = true;
            }
            LockSupport.parkNanos(PAUSE_NS);
            untold.removeIf((each) -> System.nanoTime() - beginNs < longestNs && tryTell(each));
        }
        for (final ClusterState.Member each : untold)
        {
            say.accept(each.number() == removed.number() ?
                "the server could not be told that it is no member any more: server=" + removed.address() :
                "a member has not heard yet that the server has left, and refuses a new one at its address until " +
                "then: member=" + each.number());
        }
    }

    /**
     * Where partitions are on some members only, none says that it has left. So the others are told first, and it only
     * if it is certain then that it keeps nothing, and that no leader lets it: another command may be giving it a
     * partition.
     *
     * @param others    to tell.
     * @param isHere    whether the one that leaves can be told.
     * @param committed tells who keeps partitions, when others are told.
     * @throws CommandException if it may keep something.
     */
    void tellWhereSpread(
        final List<ClusterState.Member> others, final boolean isHere, final Supplier<CommittedMembers> committed)
    {
        tell(others);
        checkKeepsNothing(committed.get());
        if (isHere)
        {
            tell(List.of(removed));
            if (refusals.containsKey(removed.number()))
            {
                throw mayKeep("itself: " + refusals.get(removed.number()));
            }
            // A leader that had not heard may have begun to give it a partition until it was told.
            checkKeepsNothing(committed.get());
        }
    }

    private void checkKeepsNothing(final CommittedMembers present)
    {
        for (int i = 0; i < present.keepers().size(); i++)
        {
            final Set<Long> keepers = present.keepers().get(i);
            if (keepers.contains(removed.number()) || present.inMotion().contains(i))
            {
                throw mayKeep("partition=" + i + " members=" + keepers);
            }
        }
        for (final long leader : present.leaders())
        {
            if (!heard.contains(leader))
            {
                throw mayKeep("leader=" + leader + ": " +
                    refusals.getOrDefault(leader, "it has not heard that the member has left"));
            }
        }
    }

    private CommandException mayKeep(final String reason)
    {
        return new CommandException(ExitCode.NOT_SERVED, "the member may keep a partition, or be about to get one by " +
            "another command, so keep its data directory, and repeat the command: member=" + removed.number() + " " +
            reason);
    }

    private boolean tryTell(final ClusterState.Member to)
    {
        try
        {
            final Optional<String> refusal = telling.tell(to);
            if (refusal.isPresent())
            {
                refusals.put(to.number(), refusal.get());
                return false;
            }
            refusals.remove(to.number());
            heard.add(to.number());
            return true;
        }
        catch (final StoreException e)
        {
            // It is away. If it has refused before, it may do so again.
            return false;
        }
    }
}
