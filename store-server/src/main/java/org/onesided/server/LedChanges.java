package org.onesided.server;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.data.DataDirectoryException;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.forming.MemberChange;
import org.onesided.server.forming.MemberChanges;
import org.onesided.server.raft.Follower;
import org.onesided.server.raft.MembersChangeException;
import org.onesided.server.raft.RaftShardLog;
import org.onesided.server.raft.peers.Peer;

/**
 * What clients ask for that change members, done at the logs that this member leads. Thread-safe.
 */
final class LedChanges implements MemberChanges
{
    /** A change from or to one member is made without the others' votes, which nobody has searched for errors. */
    private static final int LEAST_MEMBERS = 2;

    private final DataDirectory directory;
    private final KnownMembers known;
    private final int shards;
    private final boolean isPeerTls;
    private final ServerEnd end;
    /** Null until the logs are open. */
    private volatile IntFunction<RaftShardLog> logs;

    LedChanges(
        final DataDirectory directory, final KnownMembers known, final int shards, final boolean isPeerTls,
        final ServerEnd end)
    {
        this.end = end;
        this.directory = directory;
        this.known = known;
        this.shards = shards;
        this.isPeerTls = isPeerTls;
    }

    /** Changes can be made from here on. */
    void opened(final IntFunction<RaftShardLog> open)
    {
        logs = open;
    }

    @Override
    public ClusterDescription description()
    {
        return known.description();
    }

    @Override
    public TableIdentity identity()
    {
        return directory.identity();
    }

    @Override
    public int shards()
    {
        return shards;
    }

    @Override
    public boolean isPeerTls()
    {
        return isPeerTls;
    }

    @Override
    public Map<Integer, List<Long>> led()
    {
        final Map<Integer, List<Long>> led = new TreeMap<>();
        for (int shard = 0; logs != null && shard < shards; shard++)
        {
            final RaftShardLog log = logs.apply(shard);
            if (log.lead().isLeading())
            {
                led.put(shard, log.members().committed().stream().map(Peer::number).toList());
            }
        }
        return led;
    }

    @Override
    public void announce(final ClusterMember member) throws MembersChangeException
    {
        try
        {
            PeerAddress.checkReachable(List.of(known.description().own(), member));
            known.announce(member);
        }
        catch (final IllegalArgumentException | IllegalStateException | DataDirectoryException e)
        {
            throw new MembersChangeException(MembersChangeException.Kind.REFUSED, e.getMessage(), e);
        }
    }

    /** Not amid a change: one that has been checked, and is not begun, may bring the member a partition. */
    @Override
    public synchronized void forget(final long number) throws MembersChangeException
    {
        try
        {
            if (number != known.description().self())
            {
                checkComesToNone(number);
                known.forget(number);
            }
            else if (isPerhapsRemoved())
            {
                known.leave();
            }
            else
            {
                throw new IllegalArgumentException("this member keeps a partition, as far as it knows: member=" +
                    number);
            }
        }
        catch (final IllegalArgumentException | DataDirectoryException e)
        {
            throw new MembersChangeException(MembersChangeException.Kind.REFUSED, e.getMessage(), e);
        }
    }

    /** A change that is under way may bring the member a partition. */
    private void checkComesToNone(final long number)
    {
        for (int shard = 0; logs != null && shard < shards; shard++)
        {
            if (logs.apply(shard).lead().followers().stream().anyMatch((follower) -> follower.member() == number))
            {
                throw new IllegalArgumentException("the member is about to get a partition, or to leave it: member=" +
                    number + " partition=" + shard);
            }
        }
    }

    @Override
    public void take(final int shard)
    {
        if (known.description().isSpread() && logs != null && logs.apply(shard).members().hasEnded())
        {
            end.beginAnewInOrder("this member is about to get a partition again that it kept once: partition=" + shard);
        }
    }

    @Override
    public synchronized CompletableFuture<Void> change(final MemberChange change)
    {
        if (change.before().size() < LEAST_MEMBERS || change.after().size() < LEAST_MEMBERS)
        {
            return failed(MembersChangeException.Kind.REFUSED, "a cluster of one member stays one, and of others " +
                "at least two stay: before=" + change.before().size() + " after=" + change.after().size());
        }
        final int replicas = known.description().replicas();
        if (known.description().isSpread() && change.after().size() < Math.min(change.before().size(), replicas))
        {
            return failed(MembersChangeException.Kind.REFUSED, "the partition would have too few replicas, look " +
                "again: partition=" + change.shard() + " before=" + change.before() + " after=" +
                change.after().size() + " replicas=" + replicas);
        }
        if (logs == null || !logs.apply(change.shard()).lead().isLeading())
        {
            return failed(MembersChangeException.Kind.NOT_LEADING,
                "another member leads, or is about to: partition=" + change.shard());
        }
        for (final ClusterMember member : change.after())
        {
            if (!known.description().members().contains(member))
            {
                return failed(MembersChangeException.Kind.REFUSED, "the member was not announced: member=" +
                    member.number() + " address=" + member.address() + " peerAddress=" + member.peerAddress());
            }
        }
        if (2 * change.added().size() >= change.after().size())
        {
            return failed(MembersChangeException.Kind.REFUSED, "more than half of the members stay in one step, add " +
                "first and remove then: before=" + change.before() + " added=" + change.added());
        }
        if (change.after().stream().noneMatch((member) -> member.number() == known.description().self()))
        {
            // Clients have another one lead before, in order.
            return failed(MembersChangeException.Kind.NOT_LEADING, "the member that is to be removed leads, transfer " +
                "the partition first: partition=" + change.shard());
        }
        return logs.apply(change.shard()).members().change(change.before(), PeerAddress.peers(change.after()));
    }

    private boolean isPerhapsRemoved()
    {
        for (int shard = 0; shard < shards; shard++)
        {
            // A leader that sends to it without counting it yet is about to take it in.
            if (logs == null || !logs.apply(shard).members().isPerhapsRemoved() || known.description().isSpread() &&
                !logs.apply(shard).members().hasEnded() && logs.apply(shard).members().isLed())
            {
                return false;
            }
        }
        return true;
    }

    private CompletableFuture<Void> failed(final MembersChangeException.Kind kind, final String message)
    {
        return CompletableFuture.failedFuture(new MembersChangeException(kind, message, null));
    }

    @Override
    public long behind(final int shard, final Collection<Long> numbers)
    {
        return logs == null ? 0 : logs.apply(shard).lead().followers().stream()
            .filter((follower) -> numbers.contains(follower.member())).mapToLong(Follower::behind).max().orElse(0);
    }
}
