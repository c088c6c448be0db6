package org.onesided.tools.kvctl.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.text.Amounts;
import org.onesided.tools.text.Table;

/**
 * A cluster as all its members together see it.
 */
final class ClusterView
{
    private final ClusterState first;
    private final Map<Long, ClusterState> answers = new TreeMap<>();
    private final Map<Long, String> failures;
    private final List<Leadership> partitions = new ArrayList<>();

    /**
     * Who leads a partition.
     *
     * @param term      the latest that a member knows.
     * @param leader    in it; 0 if no member knows one.
     * @param isServed  whether that member takes clients.
     * @param followers the other members, as that member sees them; none if it has not told.
     * @param reign     of that member; null if it has not told.
     */
    record Leadership(
        long term, long leader, boolean isServed, List<ClusterState.Follower> followers, ClusterState.Reign reign)
    {
    }

    /**
     * @param answers  of members of one cluster, at least one.
     * @param failures why other members did not answer, by their numbers.
     */
    ClusterView(final List<ClusterState> answers, final Map<Long, String> failures)
    {
        first = answers.get(0);
        answers.forEach((answer) -> this.answers.put(answer.self(), answer));
        this.failures = Map.copyOf(failures);
        for (int i = 0; i < first.partitions().size(); i++)
        {
            partitions.add(leadership(i));
        }
    }

    private Leadership leadership(final int number)
    {
        Leadership latest = new Leadership(0, 0, false, List.of(), null);
        for (final ClusterState answer : answers.values())
        {
            final ClusterState.Partition seen = answer.partitions().get(number);
            // In one term, some members know the leader, and the leader itself whether it serves, and who follows.
            if (seen.term() > latest.term)
            {
                latest = new Leadership(seen.term(), seen.leader(), seen.isServing(), seen.followers(), seen.reign());
            }
            else if (seen.term() == latest.term)
            {
                latest = new Leadership(
                    latest.term, Math.max(latest.leader, seen.leader()), latest.isServed || seen.isServing(),
                    latest.followers.isEmpty() ? seen.followers() : latest.followers,
                    latest.reign == null ? seen.reign() : latest.reign);
            }
        }
        return latest;
    }

    /** All members that any of those that answered names, by their numbers. */
    List<ClusterState.Member> members()
    {
        final Map<Long, ClusterState.Member> all = new TreeMap<>();
        answers.values().forEach((answer) -> answer.members().forEach((member) -> all.put(member.number(), member)));
        return List.copyOf(all.values());
    }

    /** Names the cluster's table. */
    long tableId()
    {
        return first.tableId();
    }

    /** Zones of the members that answered. */
    Zones zones()
    {
        final Map<Long, String> names = new TreeMap<>();
        answers.forEach((number, answer) ->
        {
            if (answer.zone() != null)
            {
                names.put(number, answer.zone());
            }
        });
        return new Zones(names);
    }

    /** What to say if there are fewer zones than replicas; null if there are enough, or none. */
    String shortageOfZones()
    {
        return zones().shortage(members().stream().map(ClusterState.Member::number).toList(),
            IntStream.range(0, partitions.size()).map((i) -> keepers(i).size()).max().orElse(0));
    }

    /** Partitions of which replicas share a zone, and need not: members that answer are in others. */
    List<Integer> sharingZones()
    {
        final Zones zones = zones();
        return IntStream.range(0, partitions.size()).filter((i) ->
        {
            final Set<Long> keepers = keepers(i);
            final Set<Long> homes = new TreeSet<>(answers.keySet());
            homes.addAll(keepers);
            return zones.pairs(keepers) > zones.fewestPairs(homes, keepers.size());
        }).boxed().toList();
    }

    /** Whether a member answered. */
    boolean isReachable(final long number)
    {
        return answers.containsKey(number);
    }

    /** Where clients connect to a member; null if there is none with that number. */
    String address(final long member)
    {
        return members().stream().filter((each) -> each.number() == member)
            .map(ClusterState.Member::address).findFirst().orElse(null);
    }

    /** The same as text. */
    String table()
    {
        return HexFormat.of().toHexDigits(first.tableId());
    }

    /** For how long clients may look up without asking. */
    long leaseMs()
    {
        return first.leaseMs();
    }

    /** Whether a member leads a partition, or follows its leader closely. */
    boolean isInSync(final int partition, final long member)
    {
        final Leadership each = partitions.get(partition);
        return each.leader == member || each.followers.stream()
            .anyMatch((follower) -> follower.member() == member && follower.isInSync());
    }

    /**
     * Who keeps a partition: as its leader says; else those that say so themselves.
     *
     * @return numbers of the members, in their order.
     */
    Set<Long> keepers(final int partition)
    {
        final Leadership each = partitions.get(partition);
        final Set<Long> keepers = new TreeSet<>();
        // A member tells whom it sends to after it has told who leads, and may have begun to lead meanwhile.
        if (each.leader != 0 && !each.followers.isEmpty() &&
            each.followers.stream().noneMatch((follower) -> follower.member() == each.leader))
        {
            keepers.add(each.leader);
            each.followers.forEach((follower) -> keepers.add(follower.member()));
            return keepers;
        }
        answers.forEach((number, answer) ->
        {
            if (answer.partitions().get(partition).isKept())
            {
                keepers.add(number);
            }
        });
        return keepers;
    }

    /** Partitions that a member keeps. */
    List<Integer> keptBy(final long member)
    {
        return IntStream.range(0, partitions.size()).filter((i) -> keepers(i).contains(member)).boxed().toList();
    }

    /**
     * How many members are not in sync, summed over the partitions that they keep. Where no leader has told who keeps
     * one, each counts that has not answered.
     */
    int unsynced()
    {
        int count = 0;
        for (int i = 0; i < partitions.size(); i++)
        {
            final int partition = i;
            final Set<Long> keepers = keepers(i);
            if (partitions.get(i).followers.isEmpty())
            {
                members().stream().map(ClusterState.Member::number).filter((each) -> !isReachable(each))
                    .forEach(keepers::add);
            }
            count += (int)keepers.stream().filter((each) -> !isInSync(partition, each)).count();
        }
        return count;
    }

    /** Whether clients can use all partitions, and any member could be stopped. */
    boolean isSound()
    {
        return unserved().isEmpty() && unsynced() == 0;
    }

    /** Partitions, in their order. */
    List<Leadership> partitions()
    {
        return List.copyOf(partitions);
    }

    /** Partitions that clients cannot use now. */
    List<Integer> unserved()
    {
        return IntStream.range(0, partitions.size()).filter((i) -> !partitions.get(i).isServed).boxed().toList();
    }

    private List<Integer> ledBy(final long member)
    {
        return IntStream.range(0, partitions.size()).filter((i) -> partitions.get(i).leader == member).boxed().toList();
    }

    private long servedBy(final long member)
    {
        return ledBy(member).stream().filter((i) -> partitions.get(i).isServed).count();
    }

    /** Entries that a member lacks of the partition of which it lacks most, as far as leaders have told. */
    private long mostBehind(final long member)
    {
        return partitions.stream().flatMap((each) -> each.followers.stream())
            .filter((follower) -> follower.member() == member).mapToLong(ClusterState.Follower::behind).max().orElse(0);
    }

    /** Bytes free for a member's data; -1 if it has not told. */
    private long diskFree(final long member)
    {
        return answers.containsKey(member) ? answers.get(member).diskFree() : -1;
    }

    private static String state(final ClusterState.Reign reign)
    {
        final String state = reign.stage().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return reign.restMs() == 0 ? state : state + ' ' + reign.restMs() + " ms";
    }

    private static String text(final Collection<Long> members)
    {
        return members.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** For programs. */
    Figures figures()
    {
        final Zones zones = zones();
        final List<Figures> members = new ArrayList<>();
        members().forEach((member) ->
        {
            final Figures one = new Figures()
                .add("number", member.number())
                .add("address", member.address())
                .add("reachable", answers.containsKey(member.number()))
                .add("keeps", keptBy(member.number()).size())
                .add("leads", ledBy(member.number()).size())
                .add("serves", servedBy(member.number()))
                .add("most_behind", mostBehind(member.number()));
            if (diskFree(member.number()) >= 0)
            {
                one.add("disk_free", diskFree(member.number()));
            }
            if (zones.name(member.number()) != null)
            {
                one.add("zone", zones.name(member.number()));
            }
            if (failures.containsKey(member.number()))
            {
                one.add("problem", failures.get(member.number()));
            }
            members.add(one);
        });
        final List<Figures> parts = new ArrayList<>();
        for (int i = 0; i < partitions.size(); i++)
        {
            final Figures one = new Figures()
                .add("partition", i)
                .add("members", text(keepers(i)));
            if (zones.areNamed())
            {
                one.add("zones", zones.count(keepers(i)));
            }
            one.add("leader", partitions.get(i).leader)
                .add("term", partitions.get(i).term)
                .add("served", partitions.get(i).isServed)
                .list("followers", partitions.get(i).followers.stream().map((follower) -> new Figures()
                    .add("member", follower.member())
                    .add("behind", follower.behind())
                    .add("in_sync", follower.isInSync())).toList());
            final ClusterState.Reign reign = partitions.get(i).reign;
            if (reign != null)
            {
                one.add("state", reign.stage().name().toLowerCase(Locale.ROOT))
                    .add("rest_ms", reign.restMs())
                    .add("leases_held", reign.held())
                    .add("leases_granted", reign.granted())
                    .add("lease_proofs", reign.proofs());
            }
            parts.add(one);
        }
        return new Figures()
            .add("table_id", table())
            .add("lease_ms", first.leaseMs())
            .add("unserved", unserved().size())
            .add("not_in_sync", unsynced())
            .add("sharing_zones", sharingZones().size())
            .list("members", members)
            .list("partitions", parts);
    }

    /** For people. */
    String text()
    {
        final Zones zones = zones();
        final List<String> columns = new ArrayList<>(
            List.of("member", "address", "reachable", "keeps", "leads", "serves", "behind", "disk free"));
        if (zones.areNamed())
        {
            columns.add(2, "zone");
        }
        final Table members = new Table(columns.toArray(String[]::new));
        members().forEach((member) ->
        {
            final List<Object> row = new ArrayList<>(List.of(
                member.number(), member.address(), Text.yesOrNo(answers.containsKey(member.number())),
                keptBy(member.number()).size(),
                ledBy(member.number()).stream().map(String::valueOf).collect(Collectors.joining(",")),
                servedBy(member.number()), mostBehind(member.number()),
                diskFree(member.number()) < 0 ? "" : Amounts.size(diskFree(member.number()))));
            if (zones.areNamed())
            {
                row.add(2, zones.name(member.number()) == null ? "" : zones.name(member.number()));
            }
            members.row(row.toArray());
        });
        final Table parts = new Table(
            "partition", "members", "leader", "term", "served", "in sync", "behind", "state", "leases", "granted",
            "proofs");
        for (int i = 0; i < partitions.size(); i++)
        {
            final Leadership each = partitions.get(i);
            parts.row(i, text(keepers(i)), each.leader == 0 ? "" : each.leader, each.term, Text.yesOrNo(each.isServed),
                each.followers.stream().filter(ClusterState.Follower::isInSync)
                    .map((follower) -> String.valueOf(follower.member())).collect(Collectors.joining(",")),
                each.followers.stream().filter((follower) -> follower.behind() > 0)
                    .map((follower) -> follower.member() + ":" + follower.behind()).collect(Collectors.joining(",")),
                each.reign == null ? "" : state(each.reign), each.reign == null ? "" : each.reign.held(),
                each.reign == null ? "" : each.reign.granted(), each.reign == null ? "" : each.reign.proofs());
        }
        return "table " + table() + ", lease " + first.leaseMs() + " ms\n\n" + members + '\n' + parts + zoneLines();
    }

    /** What an operator can do about replicas in one zone. */
    private String zoneLines()
    {
        final String shortage = shortageOfZones();
        final List<Integer> sharing = sharingZones();
        return (shortage == null ? "" : '\n' + shortage + '\n') +
            (sharing.isEmpty() ? "" : "\nwarning: partitions have several replicas in one zone, kvctl cluster " +
            "rebalance moves them where other zones have room: partitions=" +
            sharing.stream().map(String::valueOf).collect(Collectors.joining(",")) + '\n');
    }
}
