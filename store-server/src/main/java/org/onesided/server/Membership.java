package org.onesided.server;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.onesided.server.cluster.LeaseTime;
import org.onesided.server.cluster.ShardSnapshotFiles;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.forming.MembersDesk;
import org.onesided.server.log.SnapshotFiles;
import org.onesided.server.raft.MembersListener;
import org.onesided.server.raft.RaftShardLog;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.PeerTls;
import org.onesided.server.raft.peers.Peers;
import org.onesided.server.session.ServedCluster;
import org.onesided.server.session.ServedMembers;
import org.onesided.server.session.ShardRoles;
import org.onesided.server.shard.reign.Replication;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.verbs.BootClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server as a member of a cluster: what its logs, its shards and its clients need to know of that.
 */
final class Membership implements MembersListener, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Membership.class);

    private final DataDirectory directory;
    private final ServerEnd end;
    private final KnownMembers known;
    private final ServedMembers told;
    private final ServedCluster served;
    private final Peers peers;
    private final LeaseTime leaseTime;
    private final LedChanges changes;
    private final MembersDesk desk;
    private final Map<Integer, SnapshotFiles> snapshots = new HashMap<>();
    /** Partitions that go on without this member. */
    private final Set<Integer> left = ConcurrentHashMap.newKeySet();

    private Membership(
        final DataDirectory directory,
        final ClusterDescription description,
        final int shards,
        final PeerTls tls,
        final ServerEnd end)
    {
        this.directory = directory;
        final TableIdentity table = directory.identity();
        this.end = end;
        peers = description.isChanged() ?
            Peers.joining(description.self(), PeerAddress.peers(description.members()), tls) :
            Peers.founding(description.self(), PeerAddress.peers(description.founders()),
                (shard) -> PeerAddress.peers(description.founders(shard)), tls);
        peers.trust(hosts(description));
        leaseTime = LeaseTime.of(TimeUnit.MILLISECONDS.toNanos(description.leaseMs()));
        known = new KnownMembers(description, shards, this::changed);
        told = new ServedMembers(told(description));
        changes = new LedChanges(directory, known, shards, tls != null, end);
        desk = new MembersDesk(changes, end::fail);
        served = new ServedCluster(
            description.self(), table.tableId(), table.hashSeed(), description.leaseMs(), told, new ShardRoles(shards),
            desk);
    }

    private static List<ServedMembers.Member> told(final ClusterDescription description)
    {
        final List<ServedMembers.Member> all = new ArrayList<>();
        description.members().stream().filter((member) -> !member.address().isEmpty())
            .forEach((member) -> all.add(new ServedMembers.Member(member.number(), member.address())));
        return all;
    }

    /** What the directory says; null if the server is alone. */
    static Membership of(
        final DataDirectory directory, final ServerOptionValues options, final int shards, final ServerEnd end)
    {
        final ClusterDescription description = directory.cluster();
        if (description != null && description.isRemoved())
        {
            throw new ServerException("this member was removed from its cluster, which goes on without it: to take " +
                "the server in again, delete its data directory and add it as a new one: path=" + directory.path() +
                " member=" + description.self());
        }
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
        if (options.peers().zone() != null && description == null)
        {
            throw new ServerException("this table is that of a server that is alone, start it without --zone: path=" +
                directory.path());
        }
        return description == null ? null : of(directory, description, options, shards, end);
    }

    private static Membership of(
        final DataDirectory directory,
        final ClusterDescription description,
        final ServerOptionValues options,
        final int shards,
        final ServerEnd end)
    {
        try
        {
            final String own = description.own().peerAddress();
            final InetSocketAddress address = PeerAddress.check(own, options.peers().isTls());
            final Membership membership = new Membership(
                directory, description, shards, ServerCredentials.readPeers(options, own), end);
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
        final List<Peer> all = PeerAddress.peers(description.members());
        if (!isTls)
        {
            all.forEach((peer) -> Peers.joining(peer.number(), all, null));
        }
        PeerAddress.checkReachable(description.members());
    }

    private static List<String> hosts(final ClusterDescription description)
    {
        return description.members().stream().map((member) -> Peer.address(member.peerAddress()).getHostString())
            .toList();
    }

    /** Written down before it counts. */
    private void changed(final ClusterDescription description)
    {
        directory.cluster(description);
        peers.trust(hosts(description));
        told.change(told(description));
    }

    @Override
    public List<Peer> known()
    {
        return PeerAddress.peers(known.description().members());
    }

    @Override
    public void onMembers(final int shard, final List<Peer> members)
    {
        known.onMembers(shard, members);
    }

    @Override
    public void onLeft(final int shard)
    {
        if (known.description().isSpread())
        {
            known.onLeft(shard);
            left.add(shard);
            // It was moved. What is here of the log stays, as this member has acknowledged it to others.
            LOGGER.info("partition is kept by other members only, what is here of its log rests: partition={}", shard);
        }
    }

    @Override
    public void onEnded(final int shard)
    {
        if (left.contains(shard) || known.description().isRemoved())
        {
            return;
        }
        final String reason = "the log of a partition was closed, as a change of members came to nothing: " +
            "partition=" + shard;
        if (known.description().isSpread())
        {
            // The others wait for this member, which may lead other partitions.
            end.beginAnewInOrder(reason);
        }
        else
        {
            end.beginAnew(reason);
        }
    }

    /** The logs are there, so that members can be changed. */
    void opened(final IntFunction<RaftShardLog> logs)
    {
        changes.opened(logs);
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
        return leaseTime;
    }

    Replication replication(final long region)
    {
        return new Replication(leaseTime, region, BootClock.system()::nanoTime);
    }

    /** Takes leave of clients that change members. To be called before the logs are closed. */
    @Override
    public void close()
    {
        desk.close();
    }
}
