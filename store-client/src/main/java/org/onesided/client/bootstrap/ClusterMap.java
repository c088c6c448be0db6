package org.onesided.client.bootstrap;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.OfferDecoder;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * A cluster as one of its members sees it. Immutable.
 *
 * @param self     number of the member that tells it.
 * @param tableId  names the cluster's table; never 0.
 * @param hashSeed of the keys' hashes, which tell the shard of a key.
 * @param leaseNs  for how long a client may believe what a leader's memory says, in nanoseconds.
 * @param members  where clients connect, by the members' numbers.
 * @param leaders  one per shard, in their order.
 */
public record ClusterMap(
    long self, long tableId, long hashSeed, long leaseNs, Map<Long, HostAndPort> members, List<Leader> leaders)
{
    /** Longer leases are a mistake: for so long a partition would have no leader after each election. */
    private static final long MAX_LEASE_MS = TimeUnit.MINUTES.toMillis(10);

    /**
     * Who leads a shard, as far as a member knows.
     *
     * @param term      the latest that the member knows; 0 for none.
     * @param member    that leads in it; 0 if it is not known.
     * @param isServing whether it is the member itself, and takes sessions.
     */
    public record Leader(long term, long member, boolean isServing)
    {
    }

    /**
     * Copies what can change.
     *
     * @param self     number of the member that tells it.
     * @param tableId  names the cluster's table; never 0.
     * @param hashSeed of the keys' hashes, which tell the shard of a key.
     * @param leaseNs  for how long a client may believe what a leader's memory says, in nanoseconds.
     * @param members  where clients connect, by the members' numbers.
     * @param leaders  one per shard, in their order.
     */
    public ClusterMap
    {
        members = Collections.unmodifiableMap(new TreeMap<>(members));
        leaders = List.copyOf(leaders);
    }

    /**
     * @return how many shards the table has.
     */
    public int shards()
    {
        return leaders.size();
    }

    /**
     * Reads the part of an offer that follows its devices, and checks all of it.
     *
     * @param offer whose devices were read.
     * @return the map, or null if the server is alone.
     * @throws ProtocolException if it makes no sense.
     */
    static ClusterMap read(final OfferDecoder offer) throws ProtocolException
    {
        final long self = offer.self();
        final long tableId = offer.tableId();
        final long leaseMs = offer.leaseMs();
        final long hashSeed = offer.hashSeed();
        final Map<Long, HostAndPort> members = members(offer.members());
        final List<Leader> leaders = leaders(offer.leaders(), self, members);
        if (tableId == 0)
        {
            if (self != 0 || !members.isEmpty() || !leaders.isEmpty())
            {
                throw new ProtocolException("server is alone, and tells of a cluster: self=" + self +
                    " members=" + members.size() + " shards=" + leaders.size());
            }
            return null;
        }
        if (leaders.isEmpty())
        {
            throw new ProtocolException("cluster has no shards");
        }
        if (!members.containsKey(self))
        {
            throw new ProtocolException("server is not among the members of its cluster: self=" + self);
        }
        if (leaseMs < 1 || leaseMs > MAX_LEASE_MS)
        {
            throw new ProtocolException("cluster's lease is out of range: leaseMs=" + leaseMs);
        }
        return new ClusterMap(self, tableId, hashSeed, TimeUnit.MILLISECONDS.toNanos(leaseMs), members, leaders);
    }

    private static Map<Long, HostAndPort> members(final OfferDecoder.MembersDecoder group) throws ProtocolException
    {
        if (group.count() > Bootstrap.MAX_MEMBERS)
        {
            throw new ProtocolException("cluster has too many members: members=" + group.count() + " most=" +
                Bootstrap.MAX_MEMBERS);
        }
        final Map<Long, HostAndPort> members = new TreeMap<>();
        while (group.hasNext())
        {
            final long number = group.next().number();
            if (group.addressLength() > Bootstrap.MAX_ADDRESS_LENGTH)
            {
                throw new ProtocolException("address of a member is too long: length=" + group.addressLength() +
                    " longest=" + Bootstrap.MAX_ADDRESS_LENGTH);
            }
            if (number < 1 || members.put(number, address(group.address())) != null)
            {
                throw new ProtocolException("members of a cluster have numbers of their own from 1: number=" + number);
            }
        }
        return members;
    }

    private static HostAndPort address(final String text) throws ProtocolException
    {
        try
        {
            return HostAndPort.parse(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ProtocolException("address of a member is none: address=" + OneLine.ofPeer(text));
        }
    }

    private static List<Leader> leaders(
        final OfferDecoder.LeadersDecoder group, final long self, final Map<Long, HostAndPort> members)
        throws ProtocolException
    {
        if (group.count() > SuperblockDescriptor.MAX_SHARDS)
        {
            throw new ProtocolException("cluster has too many shards: shards=" + group.count() + " most=" +
                SuperblockDescriptor.MAX_SHARDS);
        }
        final List<Leader> leaders = new ArrayList<>();
        while (group.hasNext())
        {
            group.next();
            final Leader leader = new Leader(group.term(), group.member(), group.serving() == 1);
            if (leader.term < 0 || leader.member != 0 && !members.containsKey(leader.member) ||
                leader.isServing && leader.member != self)
            {
                throw new ProtocolException("leader of a shard makes no sense: shard=" + leaders.size() + " term=" +
                    leader.term + " member=" + leader.member + " serving=" + leader.isServing);
            }
            leaders.add(leader);
        }
        return leaders;
    }
}
