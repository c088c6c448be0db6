package org.onesided.tools.kvctl.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.onesided.client.ClusterMember;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreReadOnlyException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;

/**
 * Changes who keeps the partitions of a cluster, one after the other. What is done already is left as it is, so a
 * change that was cut can be made again.
 */
final class MembersChange
{
    /** Time without any progress after which it gives up: longer than a partition is without a leader. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Seconds until a member that gets a partition is told so again: it may have left the log just now. */
    private static final int LOOKS_TO_WAKE = 5;

    private final StoreClientBuilder builder;
    private final Collection<String> seeds;
    /** Null to remove one only. */
    private final ClusterFoundation.Member added;
    /** 0 to add one only. */
    private final long removed;
    /** Whether partitions are on some members only: then nobody gets or leaves one, but in the place of another. */
    private final boolean isSpread;
    /** The only partition that is changed; negative for all. */
    private final int only;
    private final Consumer<String> tell;
    /** Who keeps each partition that was asked for, by its number. */
    private final SortedMap<Integer, List<Long>> keepers = new TreeMap<>();
    /** Partitions that leaders were asked to change: they may have taken the new one in, and the other may be left. */
    private final Set<Integer> begun = new HashSet<>();
    /** Entries that the new member has lacked at least, of each partition. */
    private final Map<Integer, Long> least = new HashMap<>();
    /** How often a leader has told of the progress of a partition. */
    private final Map<Integer, Integer> looks = new HashMap<>();
    private long progressNs = System.nanoTime();
    private String obstacle = "no member leads a partition that is to be changed";

    /**
     * @param builder  of clients, with all settings but the server.
     * @param seeds    members to ask for the others.
     * @param added    shall keep each partition; null if none is added.
     * @param removed  number of the member that shall keep none; 0 if none is removed.
     * @param isSpread whether partitions are on some members only: then they change only where one member takes the
     *                 place of another.
     * @param tell     hears of the progress, in lines.
     */
    MembersChange(
        final StoreClientBuilder builder,
        final Collection<String> seeds,
        final ClusterFoundation.Member added,
        final long removed,
        final boolean isSpread,
        final Consumer<String> tell)
    {
        this(builder, seeds, added, removed, isSpread, -1, tell);
    }

    /** As above, of one partition if its number is not negative. */
    MembersChange(
        final StoreClientBuilder builder,
        final Collection<String> seeds,
        final ClusterFoundation.Member added,
        final long removed,
        final boolean isSpread,
        final int only,
        final Consumer<String> tell)
    {
        this.only = only;
        this.isSpread = isSpread;
        this.builder = builder;
        this.seeds = seeds;
        this.added = added;
        this.removed = removed;
        this.tell = tell;
    }

    /**
     * Who shall keep a partition.
     *
     * @param before numbers of those who keep it now.
     * @return the numbers, in their order.
     */
    private List<Long> after(final Collection<Long> before)
    {
        final List<Long> after = new ArrayList<>(before);
        if (isSpread && (added == null || !before.contains(removed)))
        {
            return after;
        }
        after.remove(removed);
        if (added != null && !after.contains(added.number()))
        {
            after.add(added.number());
        }
        after.sort(null);
        return after;
    }

    /**
     * What would become of a partition.
     *
     * @param before who keeps it, by their numbers; empty if no leader answers.
     * @param after  who would keep it.
     */
    record Planned(List<Long> before, List<Long> after)
    {
        Figures figures(final int partition)
        {
            return new Figures().add("partition", partition).add("is_known", !before.isEmpty())
                .add("members", text(before)).add("becomes", text(after));
        }
    }

    /**
     * Tells what would be changed, and changes nothing.
     *
     * @return the same for each partition, in their order.
     */
    List<Planned> plan()
    {
        final ClusterView view = MemberSurvey.look(builder, seeds);
        for (final Map.Entry<Long, String> leader : leaders(view).entrySet())
        {
            try (ClusterMember member = builder.server(leader.getValue()).connectMember())
            {
                keepers.putAll(member.led());
            }
            catch (final StoreException e)
            {
                tell.accept(e.getMessage());
            }
        }
        final List<Planned> planned = new ArrayList<>();
        for (int i = 0; i < view.partitions().size(); i++)
        {
            final List<Long> before = keepers.getOrDefault(i, List.of());
            final List<Long> after = before.isEmpty() ? List.of() : after(before);
            tell.accept("partition " + i + ": " + (before.isEmpty() ? "not known, no leader answers" :
                text(before) + (after.equals(before) ? " stays" : " becomes " + text(after))));
            planned.add(new Planned(before, after));
        }
        return planned;
    }

    /**
     * Makes the change.
     *
     * @return how many partitions were changed.
     */
    int run()
    {
        int changed = 0;
        boolean isDone = false;
        while (!isDone)
        {
            final ClusterView view = MemberSurvey.look(builder, seeds);
            for (final Map.Entry<Long, String> leader : leaders(view).entrySet())
            {
                changed += changeLed(leader.getValue(), view.partitions().size());
            }
            isDone = keepers.size() == (only < 0 ? view.partitions().size() : 1) &&
                keepers.values().stream().allMatch((each) -> after(each).equals(each));
            if (!isDone)
            {
                if (System.nanoTime() - progressNs >= PATIENCE_NS)
                {
                    throw new CommandException(ExitCode.NOT_SERVED, obstacle + "; " + done() + " of " +
                        view.partitions().size() + " partitions are changed: repeat the command to go on");
                }
                LockSupport.parkNanos(PAUSE_NS);
                if (Thread.interrupted())
                {
                    throw new CommandException(ExitCode.FAILED, "interrupted, " + done() + " of " +
                        view.partitions().size() + " partitions are changed: repeat the command to go on");
                }
            }
        }
        return changed;
    }

    /** How many members keep a partition, once all are changed. */
    long members()
    {
        return keepers.values().stream().flatMap(List::stream).distinct().count();
    }

    private long done()
    {
        return keepers.values().stream().filter((each) -> after(each).equals(each)).count();
    }

    /** Addresses of members that lead partitions which are not known to be done, by their numbers. */
    private Map<Long, String> leaders(final ClusterView view)
    {
        final Map<Long, String> leaders = new TreeMap<>();
        for (int i = 0; i < view.partitions().size(); i++)
        {
            final long leader = view.partitions().get(i).leader();
            final List<Long> present = keepers.get(i);
            if (isMeant(i) && leader != 0 && (present == null || !after(present).equals(present)))
            {
                view.members().stream().filter((member) -> member.number() == leader)
                    .forEach((member) -> leaders.put(leader, member.address()));
            }
        }
        return leaders;
    }

    private boolean isMeant(final int partition)
    {
        return only < 0 || partition == only;
    }

    /** Changes the partitions that a member leads; how many. */
    private int changeLed(final String address, final int partitions)
    {
        int changed = 0;
        try (ClusterMember member = builder.server(address).connectMember())
        {
            final Map<Long, ClusterFoundation.Member> known = new HashMap<>();
            final ClusterFoundation foundation = member.foundation();
            foundation.members().forEach((each) -> known.put(each.number(), each));
            if (added != null && known.put(added.number(), added) == null)
            {
                // It was away when the others were told.
                member.announce(added);
            }
            for (final Map.Entry<Integer, List<Long>> led : member.led().entrySet())
            {
                if (!isMeant(led.getKey()))
                {
                    continue;
                }
                keepers.put(led.getKey(), led.getValue());
                final List<Long> after = after(led.getValue());
                if (!after.equals(led.getValue()))
                {
                    if (!known.keySet().containsAll(after))
                    {
                        // Its logs tell it in a moment.
                        obstacle = "the leader does not know all members yet: partition=" + led.getKey() +
                            " members=" + text(after);
                        continue;
                    }
                    check(led.getKey(), led.getValue(), after, foundation.replicas());
                    if (member.number() == removed)
                    {
                        giveAway(address, led.getKey(), after);
                        continue;
                    }
                    begun.add(led.getKey());
                    final ClusterMember.Outcome outcome =
                        change(member, led.getKey(), led.getValue(), after.stream().map(known::get).toList());
                    if (outcome != ClusterMember.Outcome.DONE)
                    {
                        obstacle = (outcome == ClusterMember.Outcome.BUSY ?
                            "another change of members is under way" : "leaders change") + ": partition=" +
                            led.getKey();
                        // The connection has ended.
                        return changed;
                    }
                    keepers.put(led.getKey(), after);
                    changed++;
                    progressNs = System.nanoTime();
                    tell.accept("partition " + led.getKey() + ": members " + text(after) + " (" + done() + " of " +
                        partitions + ")");
                }
            }
        }
        catch (final StoreReadOnlyException | StoreAccessException e)
        {
            throw new CommandException(Failures.exitCode(e), e.getMessage(), e);
        }
        catch (final StoreException e)
        {
            obstacle = e.getMessage();
        }
        return changed;
    }

    /**
     * Whether a partition can do with one member less: it has more than it is to have, or survives as many losses
     * then. So it is while one takes the place of another.
     *
     * @param members  of a partition.
     * @param replicas that each partition is to have; 0 if all members keep it.
     * @return whether it is so.
     */
    static boolean isSurplus(final Collection<Long> members, final int replicas)
    {
        return replicas > 0 ? members.size() > replicas : members.size() > 2 && members.size() % 2 == 0;
    }

    private void check(
        final int partition, final List<Long> before, final List<Long> after, final int replicas)
    {
        // The servers take one in first. If that is as far as a command has come before, this one goes on from there.
        if (added != null && removed != 0 && before.contains(added.number()) && before.contains(removed) &&
            !begun.contains(partition) && !isSurplus(before, replicas))
        {
            throw new CommandException(ExitCode.USAGE, "nothing more is changed, both members keep the partition: " +
                (isSpread ? "name a server that keeps none" : "call kvctl cluster add, then remove") +
                ": partition=" + partition + " members=" + text(before));
        }
        if (before.size() < 2 || after.size() < 2)
        {
            throw new CommandException(ExitCode.USAGE, "nothing more is changed: a cluster of one member stays one, " +
                "and of others at least two stay: partition=" + partition + " members=" + text(before));
        }
    }

    /** Another member leads a partition from here on, as its leader is about to leave. */
    private void giveAway(final String leader, final int partition, final List<Long> after)
    {
        for (final long each : after)
        {
            if (added == null || each != added.number())
            {
                try
                {
                    final Optional<String> refusal = builder.server(leader).transferPartition(partition, each);
                    if (refusal.isEmpty())
                    {
                        progressNs = System.nanoTime();
                        tell.accept("partition " + partition + ": led by " + each);
                        return;
                    }
                    obstacle = refusal.get();
                }
                catch (final StoreException e)
                {
                    obstacle = e.getMessage();
                }
            }
        }
    }

    private ClusterMember.Outcome change(
        final ClusterMember member,
        final int partition,
        final List<Long> before,
        final List<ClusterFoundation.Member> after)
    {
        try
        {
            return member.change(partition, before, after, (behind) -> waiting(partition, behind));
        }
        catch (final StoreException e)
        {
            // It was refused, and will be again.
            throw new CommandException(ExitCode.FAILED, e.getMessage() + "; " + done() + " partitions are changed", e);
        }
    }

    private void waiting(final int partition, final long behind)
    {
        if (isSpread && added != null && looks.merge(partition, 1, Integer::sum) % LOOKS_TO_WAKE == 1)
        {
            wake(partition);
        }
        if (behind > 0 && behind < least.getOrDefault(partition, Long.MAX_VALUE))
        {
            least.put(partition, behind);
            progressNs = System.nanoTime();
            tell.accept("partition " + partition + ": the new member lacks " + behind + " entries");
        }
    }

    /** A member that kept the partition once may have to start again, to take part in its log. */
    private void wake(final int partition)
    {
        try (ClusterMember member = builder.server(added.address()).connectMember())
        {
            member.take(partition);
        }
        catch (final StoreException e)
        {
            // If it does not answer, the change does not succeed, and says so.
            obstacle = e.getMessage();
        }
    }

    private static String text(final Collection<Long> numbers)
    {
        return String.join(",", numbers.stream().map(String::valueOf).toList());
    }

    /** A member by its number or address. */
    static ClusterState.Member member(final ClusterView view, final String named)
    {
        return view.members().stream()
            .filter((member) -> member.address().equals(named) || String.valueOf(member.number()).equals(named))
            .findFirst().orElseThrow(() -> new CommandException(ExitCode.USAGE, "the cluster has no such member, " +
                "name one by its number or address: member=" + named + " members=" + String.join(",", view.members()
                .stream().map((member) -> member.number() + "@" + member.address()).toList())));
    }
}
