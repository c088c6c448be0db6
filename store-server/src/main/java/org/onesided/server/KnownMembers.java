package org.onesided.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.raft.peers.Peer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The members of the cluster as this one knows them: those that keep any partition, as the partitions' logs say, and
 * those that were announced and keep none yet. What is new is written down before anybody is told. Thread-safe.
 */
final class KnownMembers
{
    private static final Logger LOGGER = LoggerFactory.getLogger(KnownMembers.class);

    private final int shards;
    private final Consumer<ClusterDescription> listener;
    /** Of each partition whose log has told. */
    private final Map<Integer, List<ClusterMember>> keepers = new HashMap<>();
    private ClusterDescription description;

    /**
     * @param description as it was written last.
     * @param shards      of the table.
     * @param listener    writes down and tells what is new; what it throws, the caller gets, and nothing is new.
     */
    KnownMembers(
        final ClusterDescription description, final int shards, final Consumer<ClusterDescription> listener)
    {
        this.description = description;
        this.shards = shards;
        this.listener = listener;
    }

    synchronized ClusterDescription description()
    {
        return description;
    }

    /** A partition's log says who keeps it. */
    synchronized void onMembers(final int shard, final List<Peer> members)
    {
        keepers.put(shard, members.stream().map(this::member).toList());
        final long keeper = Math.max(
            description.kept(), members.stream().mapToLong(Peer::number).max().orElse(0));
        final Map<Long, ClusterMember> present = new TreeMap<>();
        for (final ClusterMember member : description.members())
        {
            // Until all logs have told, members stay; announced ones until a log has them.
            if (keepers.size() < shards || member.number() > keeper)
            {
                present.put(member.number(), member);
            }
        }
        keepers.values().forEach((each) -> each.forEach((member) -> present.put(member.number(), member)));
        change(List.copyOf(present.values()), keeper);
    }

    private ClusterMember member(final Peer peer)
    {
        return new ClusterMember(
            peer.number(), peer.clientAddress().isEmpty() ? known(peer.number()) : peer.clientAddress(),
            peer.addressText());
    }

    /** A log that is older than the first change of members does not say where clients go. */
    private String known(final long number)
    {
        for (final List<ClusterMember> list : List.of(description.members(), description.founders()))
        {
            for (final ClusterMember member : list)
            {
                if (member.number() == number)
                {
                    return member.address();
                }
            }
        }
        return "";
    }

    /**
     * A member will come. Has no effect if it was announced before.
     *
     * @throws IllegalArgumentException if the number, or one of the addresses, is another member's.
     */
    synchronized void announce(final ClusterMember member)
    {
        if (description.members().contains(member))
        {
            return;
        }
        if (member.number() <= description.highest())
        {
            throw new IllegalArgumentException("the number of a new member was given before, ask again: number=" +
                member.number() + " highest=" + description.highest());
        }
        for (final ClusterMember other : description.members())
        {
            if (other.address().equals(member.address()) || other.peerAddress().equals(member.peerAddress()))
            {
                throw new IllegalArgumentException("a member has that address, remove it first, or start the new " +
                    "server at another one: member=" + other.number() + " address=" + other.address() +
                    " peerAddress=" + other.peerAddress());
            }
        }
        final List<ClusterMember> present = new ArrayList<>(description.members());
        present.add(member);
        change(present, 0);
    }

    /**
     * A member that keeps nothing will not come, or not come back. Has no effect if it is not known.
     *
     * @throws IllegalArgumentException if it keeps a partition, or is this one.
     */
    synchronized void forget(final long number)
    {
        for (final Map.Entry<Integer, List<ClusterMember>> each : keepers.entrySet())
        {
            if (each.getValue().stream().anyMatch((member) -> member.number() == number))
            {
                throw new IllegalArgumentException("the member keeps a partition: member=" + number + " partition=" +
                    each.getKey());
            }
        }
        if (number == description.self())
        {
            throw new IllegalArgumentException("a member does not forget itself: member=" + number);
        }
        change(description.members().stream().filter((member) -> member.number() != number).toList(), 0);
    }

    private void change(final List<ClusterMember> present, final long keeper)
    {
        final ClusterDescription changed = description.with(present, keeper);
        if (!changed.equals(description))
        {
            listener.accept(changed);
            LOGGER.info("members of the cluster: members={} before={}", numbers(changed), numbers(description));
            if (changed.isRemoved() && !description.isRemoved())
            {
                LOGGER.warn("this member was removed from its cluster, stop it and delete its data directory: " +
                    "member={}", changed.self());
            }
            description = changed;
        }
    }

    private static String numbers(final ClusterDescription of)
    {
        return String.join(",", of.members().stream().map((member) -> Long.toString(member.number())).toList());
    }
}
