package org.onesided.server.data;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What a server knows of its cluster. It is in the data directory beside the table's identity, which is the same on all
 * members.
 *
 * @param self      number of this member.
 * @param members   that keep any partition, as far as this one knows: without this one once it was removed.
 * @param founders  with which the partitions' logs begin; none if the cluster was there when this member joined it.
 *                  What the logs themselves say about members counts from then on.
 * @param highest   number of any member that there ever was, as far as this one knows: none is given twice.
 * @param announced numbers of those members that have never kept a partition, as far as this one knows.
 * @param replicas  how many members keep each partition; 0 if all do.
 * @param leaseMs   for how long a client may believe what a leader's memory says, in milliseconds.
 */
public record ClusterDescription(
    long self, List<ClusterMember> members, List<ClusterMember> founders, long highest, Set<Long> announced,
    int replicas, long leaseMs)
{
    /**
     * Checks the numbers.
     *
     * @param self      number of this member.
     * @param members   that keep any partition.
     * @param founders with which the partitions' logs begin, this one among them; or none.
     * @param highest   number of any member that there ever was; a member's own number, if that is higher.
     * @param announced numbers of those members that have never kept a partition.
     * @param replicas how many members keep each partition, an odd number, and fewer than founders; 0 if all do.
     * @param leaseMs  for how long a client may believe what a leader's memory says, at least 1.
     */
    public ClusterDescription
    {
        members = List.copyOf(members);
        founders = List.copyOf(founders);
        if (leaseMs < 1)
        {
            throw new IllegalArgumentException("a lease must last at least a millisecond: leaseMs=" + leaseMs);
        }
        if (!founders.isEmpty() && !holds(founders, self))
        {
            throw new IllegalArgumentException("a member must be in the list of members: self=" + self);
        }
        if (replicas < 0 || replicas != 0 && (replicas % 2 == 0 || !founders.isEmpty() && replicas >= founders.size()))
        {
            throw new IllegalArgumentException("an odd number of members keeps each partition, fewer than there are: " +
                "replicas=" + replicas + " members=" + founders.size());
        }
        announced = announced.stream().filter(numbers(members)::contains).collect(Collectors.toUnmodifiableSet());
        highest = LongStream.concat(LongStream.of(self, highest), Stream.concat(members.stream(), founders.stream())
            .mapToLong(ClusterMember::number)).max().getAsLong();
    }

    /**
     * What the members of a new cluster know, where all keep each partition.
     *
     * @param self    number of this member.
     * @param members all of them, this one included.
     * @param leaseMs for how long a client may believe what a leader's memory says, at least 1.
     * @return the description.
     */
    public static ClusterDescription founding(final long self, final List<ClusterMember> members, final long leaseMs)
    {
        return founding(self, members, 0, leaseMs);
    }

    /**
     * What the members of a new cluster know.
     *
     * @param self     number of this member.
     * @param members  all of them, this one included, in the order by which partitions are placed.
     * @param replicas how many of them keep each partition, an odd number, and fewer than there are; 0 if all do.
     * @param leaseMs  for how long a client may believe what a leader's memory says, at least 1.
     * @return the description.
     */
    public static ClusterDescription founding(
        final long self, final List<ClusterMember> members, final int replicas, final long leaseMs)
    {
        // Logs tell members in the order of their numbers. Each member would take another order for a change.
        final List<ClusterMember> sorted =
            members.stream().sorted(Comparator.comparingLong(ClusterMember::number)).toList();
        return new ClusterDescription(self, sorted, members, 0, Set.of(), replicas, leaseMs);
    }

    /**
     * What a member knows that joins a cluster.
     *
     * @param self     number of this member, higher than all others.
     * @param members  all of them, this one included.
     * @param replicas how many members keep each partition; 0 if all do.
     * @param leaseMs  for how long a client may believe what a leader's memory says, at least 1.
     * @return the description.
     */
    public static ClusterDescription joining(
        final long self, final List<ClusterMember> members, final int replicas, final long leaseMs)
    {
        if (!holds(members, self))
        {
            throw new IllegalArgumentException("a member must be in the list of members: self=" + self);
        }
        return new ClusterDescription(self, members, List.of(), 0, Set.of(self), replicas, leaseMs);
    }

    private static Set<Long> numbers(final List<ClusterMember> members)
    {
        return members.stream().map(ClusterMember::number).collect(Collectors.toSet());
    }

    private static boolean holds(final List<ClusterMember> members, final long number)
    {
        return members.stream().anyMatch((member) -> member.number() == number);
    }

    /**
     * The same cluster with other members.
     *
     * @param present that keep any partition, or were announced.
     * @param coming  numbers of those that were announced, and have never kept one.
     * @return the description; its highest number does not fall.
     */
    public ClusterDescription with(final List<ClusterMember> present, final Set<Long> coming)
    {
        return new ClusterDescription(self, present, founders, highest, coming, replicas, leaseMs);
    }

    /**
     * @return whether not all members keep each partition.
     */
    public boolean isSpread()
    {
        return replicas != 0;
    }

    /**
     * Who keeps a partition at first.
     *
     * @param shard number of the partition.
     * @return those founders, in their order; none if the cluster was there when this member joined it.
     */
    public List<ClusterMember> founders(final int shard)
    {
        return isSpread() && !founders.isEmpty() ?
            Placement.of(shard, founders.size(), replicas).stream().map(founders::get).toList() : founders;
    }

    /**
     * @return whether those who keep partitions are others than the founders, or this one is no founder: the
     *         partitions' logs say who keeps them then, and nothing else does.
     */
    public boolean isChanged()
    {
        final Set<Long> keepers = numbers(members);
        keepers.removeAll(announced);
        return !keepers.equals(numbers(founders));
    }

    /**
     * @return whether the cluster goes on without this member.
     */
    public boolean isRemoved()
    {
        return !holds(members, self);
    }

    /**
     * @return this member.
     * @throws IllegalStateException if it was removed.
     */
    public ClusterMember own()
    {
        return members.stream().filter((member) -> member.number() == self).findFirst()
            .orElseThrow(() -> new IllegalStateException("this member was removed: self=" + self));
    }
}
