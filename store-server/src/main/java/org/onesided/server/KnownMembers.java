package org.onesided.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.onesided.protocol.bootstrap.Bootstrap;
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
    /** Members that were away may have missed some numbers. None gets so high that there is no next one. */
    private static final long MAX_STEP = 1000;

    private final int shards;
    private final Consumer<ClusterDescription> listener;
    /** Of each partition whose log has told. */
    private final Map<Integer, List<ClusterMember>> keepers = new HashMap<>();
    /** Numbers of members that were forgotten, or missed, and came back as a log has them. */
    private final Set<Long> returned = new HashSet<>();
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
        final Map<Long, ClusterMember> present = new TreeMap<>();
        for (final ClusterMember member : description.members())
        {
            // Until all logs have told, members stay; announced ones until a log has had them, or they are forgotten.
            // Where partitions are not on all members, logs say nothing about those that keep none of them.
            if (description.isSpread() && !returned.contains(member.number()) || keepers.size() < shards &&
                !description.isSpread() || description.announced().contains(member.number()))
            {
                present.put(member.number(), member);
            }
        }
        final Set<Long> announced = new HashSet<>(description.announced());
        keepers.values().forEach((each) -> each.forEach((member) ->
        {
            if (present.put(member.number(), member) == null && description.isSpread() &&
                member.number() <= description.highest())
            {
                // A log that is behind has members that have left since. They leave again when it has caught up.
                returned.add(member.number());
            }
            announced.remove(member.number());
        }));
        returned.retainAll(present.keySet());
        change(List.copyOf(present.values()), announced);
    }

    /** This member keeps a partition no more. What its log has said last, nobody will correct. */
    synchronized void onLeft(final int shard)
    {
        keepers.remove(shard);
    }

    /** A number stands for the same addresses always. Those that are known are as they were given. */
    private ClusterMember member(final Peer peer)
    {
        for (final List<ClusterMember> list : List.of(description.members(), description.founders()))
        {
            for (final ClusterMember member : list)
            {
                if (member.number() == peer.number())
                {
                    return member;
                }
            }
        }
        return new ClusterMember(peer.number(), peer.clientAddress(), peer.addressText());
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
        if (description.members().size() >= Bootstrap.MAX_MEMBERS)
        {
            throw new IllegalArgumentException("there are too many members, remove one: members=" +
                description.members().size());
        }
        if (member.number() <= description.highest() || member.number() > description.highest() + MAX_STEP)
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
        final Set<Long> announced = new HashSet<>(description.announced());
        announced.add(member.number());
        change(present, announced);
    }

    /**
     * A member that keeps nothing will not come, or not come back. Has no effect if it is not known.
     *
     * @throws IllegalArgumentException if it keeps a partition as far as this one knows, or is this one.
     */
    synchronized void forget(final long number)
    {
        for (final Map.Entry<Integer, List<ClusterMember>> each : keepers.entrySet())
        {
            if (each.getValue().stream().anyMatch((member) -> member.number() == number))
            {
                throw new IllegalArgumentException("the member keeps a partition as far as this one knows; " +
                    "if it was removed just now, try again: member=" + number + " partition=" + each.getKey());
            }
        }
        if (number == description.self())
        {
            throw new IllegalArgumentException("a member does not forget itself: member=" + number);
        }
        drop(number);
    }

    /** This member was removed: who knows says so, and its logs do not say otherwise. */
    synchronized void leave()
    {
        drop(description.self());
    }

    private void drop(final long number)
    {
        change(description.members().stream().filter((member) -> member.number() != number).toList(),
            description.announced());
    }

    private void change(final List<ClusterMember> present, final Set<Long> announced)
    {
        final ClusterDescription changed = description.with(present, announced);
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
