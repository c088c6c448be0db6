package org.onesided.server;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.onesided.server.cluster.LeaseTime;
import org.onesided.server.cluster.ShardSnapshotFiles;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.log.SnapshotFiles;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.PeerTls;
import org.onesided.server.raft.peers.Peers;
import org.onesided.server.session.ServedCluster;
import org.onesided.server.session.ShardRoles;
import org.onesided.server.shard.Replication;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.verbs.BootClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server as a member of a cluster: what its logs, its shards and its clients need to know of that.
 */
final class Membership
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Membership.class);

    private final ClusterDescription description;
    private final ServedCluster served;
    private final Peers peers;
    private final Map<Integer, SnapshotFiles> snapshots = new HashMap<>();

    private Membership(
        final ClusterDescription description, final TableIdentity table, final int shards, final PeerTls tls)
    {
        this.description = description;
        peers = Peers.founding(description.self(), peers(description), tls);
        served = new ServedCluster(
            description.self(), table.tableId(), table.hashSeed(), description.leaseMs(),
            description.members().stream()
                .map((member) -> new ServedCluster.Member(member.number(), member.address())).toList(),
            new ShardRoles(shards));
    }

    private static InetSocketAddress address(final String text)
    {
        final int colon = text.lastIndexOf(':');
        try
        {
            return new InetSocketAddress(
                text.substring(0, Math.max(0, colon)).replaceAll("^\\[|\\]$", ""),
                Integer.parseInt(text.substring(colon + 1)));
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException("address of a member is not HOST:PORT: address=" + text, e);
        }
    }

    /** What the directory says; null if the server is alone. */
    static Membership of(final DataDirectory directory, final ServerOptions options, final int shards)
    {
        final ClusterDescription description = directory.cluster();
        if (description != null && options.evict() != Eviction.NONE)
        {
            throw new ServerException("a member of a cluster evicts nothing yet, start it with --evict none: path=" +
                directory.path());
        }
        final String peerListen = options.peers().listen();
        if (peerListen != null && description == null)
        {
            throw new ServerException("this table is that of a server that is alone, start it without --peer-listen, " +
                "or with an empty or missing --data to become a member: path=" + directory.path());
        }
        if (peerListen != null && !peerListen.equals(description.own().peerAddress()))
        {
            throw new ServerException("the other members look for this one at another address, leave --peer-listen " +
                "out, or give it that: formed=" + description.own().peerAddress() + " peerListen=" + peerListen);
        }
        if (options.peers().isTls() && description == null)
        {
            throw new ServerException("this table is that of a server that is alone, start it without --tls-peer-ca: " +
                "path=" + directory.path());
        }
        return description == null ? null : of(description, directory.identity(), options, shards);
    }

    private static Membership of(
        final ClusterDescription description,
        final TableIdentity identity,
        final ServerOptions options,
        final int shards)
    {
        try
        {
            final String own = description.own().peerAddress();
            final InetSocketAddress address = PeerAddress.check(own, options.peers().isTls());
            final Membership membership =
                new Membership(description, identity, shards, ServerCredentials.readPeers(options, own));
            PeerAddress.tryOut(address);
            LOGGER.info("member of a cluster: member={} of={} peer={} peer-tls={}", description.self(),
                description.members().size(), own, options.peers().isTls() ? "yes" : "no");
            return membership;
        }
        catch (final IllegalArgumentException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
    }

    /**
     * Checks that each member could start with what it is to be told, and reach the others.
     *
     * @param isTls whether members must show certificates.
     * @throws IllegalArgumentException if one could not.
     */
    static void check(final ClusterDescription description, final boolean isTls)
    {
        final List<Peer> all = peers(description);
        if (!isTls)
        {
            all.forEach((peer) -> Peers.founding(peer.number(), all));
        }
        PeerAddress.checkReachable(all.stream().map(Peer::address).toList());
    }

    private static List<Peer> peers(final ClusterDescription description)
    {
        return description.members().stream()
            .map((member) -> new Peer(member.number(), address(member.peerAddress()))).toList();
    }

    ServedCluster served()
    {
        return served;
    }

    Peers peers()
    {
        return peers;
    }

    /** Snapshots of a shard, for those who asked first. */
    SnapshotFiles snapshots(final int shard, final SnapshotStore store)
    {
        return snapshots.computeIfAbsent(shard, (number) -> new ShardSnapshotFiles(store));
    }

    /** Snapshots of a shard, which were asked for before. */
    SnapshotFiles snapshots(final int shard)
    {
        return snapshots.get(shard);
    }

    LeaseTime leaseTime()
    {
        return LeaseTime.of(TimeUnit.MILLISECONDS.toNanos(description.leaseMs()));
    }

    Replication replication(final long region)
    {
        return new Replication(leaseTime(), region, BootClock.system()::nanoTime);
    }
}
