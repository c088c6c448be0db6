package org.onesided.server.raft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.onesided.server.log.LogListener;
import org.onesided.server.log.ShardLog;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.peers.SnapshotExchange;

/**
 * The log of one shard: a Ratis group whose only member is this server, or one of several. With several, it takes
 * proposals while this member leads. Entries go in by the {@link Proposer} and come out by the {@link HandOver}; the
 * {@link LogStand} decides whether the log takes any.
 */
public final class RaftShardLog implements ShardLog
{
    private final RaftGroupMemberId memberId;
    private final Path directory;
    private final HandOver handOver;
    /** Null in a group of one. */
    private final SnapshotExchange exchange;
    private final GroupAdmin admin;
    private final LogLead lead;
    private final GroupMembers members;
    private final DiskUse diskUse = new DiskUse();
    private final LogStand stand;
    private final Proposer proposer;

    /**
     * @param server    of Ratis.
     * @param memberId  of the group and this member.
     * @param directory of the log.
     * @param start     of the shard.
     * @param onStopped opens a group of one anew when its disk was full, and makes a member of several leave when its
     *                  log has failed. It must not block.
     * @param exchange  of snapshots with other members; null in a group of one.
     */
    RaftShardLog(
        final RaftServer server,
        final RaftGroupMemberId memberId,
        final Path directory,
        final LogStart start,
        final Consumer<RaftShardLog> onStopped,
        final SnapshotExchange exchange)
    {
        this.exchange = exchange;
        this.memberId = memberId;
        this.directory = directory;
        handOver = new HandOver(start.wakeUp());
        stand = new LogStand(
            server, memberId, directory, handOver, diskUse, exchange != null, () -> onStopped.accept(this));
        final ClientId clientId = ClientId.randomId();
        proposer = new Proposer(memberId, clientId, stand, handOver, diskUse);
        admin = new GroupAdmin(server, memberId, clientId);
        lead = new LogLead(stand::division, admin);
        members = new GroupMembers(server, memberId);
        PendingForces.onRoom(memberId, start.wakeUp());
    }

    @Override
    public boolean tryPropose(final DirectBuffer entry, final int offset, final int length)
    {
        if (length < 1 || length > MAX_ENTRY_LENGTH)
        {
            throw new IllegalArgumentException("an entry has 1 to " + MAX_ENTRY_LENGTH + " bytes: length=" + length);
        }
        return proposer.tryPropose(LogState.OPEN, entry, offset, length);
    }

    @Override
    public boolean takesProofs()
    {
        return stand.takesProofs();
    }

    @Override
    public boolean tryProve(final DirectBuffer entry, final int offset, final int length)
    {
        return stand.takesProofs() && proposer.tryPropose(LogState.NO_ROOM, entry, offset, length);
    }

    @Override
    public int poll(final LogListener listener, final int limit)
    {
        return handOver.poll(listener, limit);
    }

    @Override
    public void purge(final long index)
    {
        diskUse.purge(index);
    }

    @Override
    public long diskBytes()
    {
        return diskUse.bytes();
    }

    @Override
    public void force() throws IOException
    {
        if (stand.hasFailed())
        {
            // The system forgets what it could not write, and a second try reports success.
            throw new IOException("log has failed before: path=" + directory);
        }
        LogFiles.force(directory);
    }

    /** Takes no more proposals, and drops what is not handed over. */
    @Override
    public void close()
    {
        stand.close();
        handOver.close();
        PendingForces.forget(memberId);
    }

    /** Makes what Ratis shall see of the shard from now on, beginning behind an entry. */
    ShardStateMachine newStateMachine(final TermIndex start)
    {
        final Life life = new Life();
        final ShardStateMachine next = new ShardStateMachine(life, handOver, start, exchange);
        life.stateMachine = next;
        stand.begin(next);
        return next;
    }

    ShardStateMachine stateMachine()
    {
        return stand.stateMachine();
    }

    RaftGroupMemberId memberId()
    {
        return memberId;
    }

    GroupAdmin admin()
    {
        return admin;
    }

    Path directory()
    {
        return directory;
    }

    /** How the log stands. */
    LogStand stand()
    {
        return stand;
    }

    LogState state()
    {
        return stand.state();
    }

    /**
     * @return who keeps the log. Safe to use from any thread.
     */
    public GroupMembers members()
    {
        return members;
    }

    /**
     * @return what is to be known and done where this member leads. Safe to call from any thread.
     */
    public LogLead lead()
    {
        return lead;
    }

    /** Whether all that was proposed has been handed over, or has failed. */
    boolean isIdle()
    {
        return stand.isIdle();
    }

    DiskUse diskUse()
    {
        return diskUse;
    }

    void purgeNow()
    {
        diskUse.purgeNow(stand.raftLog(), stand.stateMachine());
    }

    /** One life of the group, from opening to closing it. */
    private final class Life implements GroupEvents
    {
        private ShardStateMachine stateMachine;

        @Override
        public void onLeader(final long term, final long index)
        {
            stand.onLeader(stateMachine, term, index);
        }

        @Override
        public void onDeposed()
        {
            stand.onDeposed(stateMachine);
        }

        @Override
        public void onLeaderKnown(final RaftPeerId member)
        {
            stand.onLeaderKnown(stateMachine, member);
        }

        @Override
        public void onInstalled(final long index)
        {
            stand.onInstalled(stateMachine, index);
        }

        @Override
        public void onFailed(final Throwable cause)
        {
            stand.fail(stateMachine, cause);
        }

        @Override
        public boolean isProposing()
        {
            return proposer.isProposing();
        }

        @Override
        public long term()
        {
            return stand.term();
        }

        @Override
        public RaftLog raftLog()
        {
            return stand.raftLog();
        }
    }
}
