package org.onesided.server.raft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.onesided.server.log.LogListener;
import org.onesided.server.log.ShardLog;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.SnapshotExchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one shard: a Ratis group whose only member is this server, or one of several. With several, it takes
 * proposals while this member leads.
 *
 * <p>An entry goes from the shard's thread to the one that writes the file, on to the one that counts what is
 * committed, on to the one that applies, and from there to the shard. Ratis offers no shorter way; it is spared the
 * thread that requests of clients go through.
 */
public final class RaftShardLog implements ShardLog
{
    /** What the log is doing. Only an open one takes proposals. */
    enum State
    {
        OPENING, OPEN, NO_ROOM, REOPENING, FOLLOWING, FAILED, CLOSED
    }

    private static final Logger LOGGER = LoggerFactory.getLogger(RaftShardLog.class);

    private final RaftServer server;
    private final RaftGroupMemberId memberId;
    private final Path directory;
    private final HandOver handOver;
    private final Consumer<RaftShardLog> onStopped;
    /** Null in a group of one. */
    private final SnapshotExchange exchange;
    private final ClientId clientId = ClientId.randomId();
    private final GroupAdmin admin;
    private final LogLead lead;
    private final GroupMembers members;
    private final DiskUse diskUse = new DiskUse();
    private long callId;
    private volatile State state = State.OPENING;
    private volatile RaftServer.Division division;
    private volatile ShardStateMachine stateMachine;
    private volatile boolean isProposing;
    private volatile boolean isHopeless;
    private volatile boolean hasFailed;
    private volatile boolean isScarce;
    /** Counts how often the log was opened for proposals. */
    private volatile long reign;
    /** Term of the present or latest reign. */
    private long leadingTerm;
    private long leader;

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
        this.server = server;
        this.memberId = memberId;
        this.directory = directory;
        this.onStopped = onStopped;
        admin = new GroupAdmin(server, memberId, clientId);
        lead = new LogLead(() -> division, admin);
        members = new GroupMembers(server, memberId);
        handOver = new HandOver(start.wakeUp());
        PendingForces.onRoom(memberId, start.wakeUp());
        if (exchange != null)
        {
            state = State.FOLLOWING;
            handOver.following(0, 0);
        }
    }

    @Override
    public boolean tryPropose(final DirectBuffer entry, final int offset, final int length)
    {
        if (length < 1 || length > MAX_ENTRY_LENGTH)
        {
            throw new IllegalArgumentException("an entry has 1 to " + MAX_ENTRY_LENGTH + " bytes: length=" + length);
        }
        return tryPropose(State.OPEN, entry, offset, length);
    }

    @Override
    public boolean takesProofs()
    {
        return !isScarce && isAsHeard(State.NO_ROOM);
    }

    @Override
    public boolean tryProve(final DirectBuffer entry, final int offset, final int length)
    {
        return takesProofs() && tryPropose(State.NO_ROOM, entry, offset, length);
    }

    private boolean tryPropose(final State in, final DirectBuffer entry, final int offset, final int length)
    {
        isProposing = true;
        try
        {
            final ShardStateMachine life = stateMachine;
            // Counted before the look at the state: a log without room is opened only if nothing is on its way.
            if (!life.proposals().tryAdd(length))
            {
                return false;
            }
            if (!isAsHeard(in) || PendingForces.areMost(memberId))
            {
                life.proposals().remove(length);
                return false;
            }
            return propose(life, entry, offset, length);
        }
        finally
        {
            isProposing = false;
        }
    }

    /** Whether the shard has heard of what came before the present state: older drafts may build on lost entries. */
    private boolean isAsHeard(final State present)
    {
        return state == present && handOver.reign() == reign;
    }

    /** Whether it was proposed; if not, it is certainly not in the log, and may be tried again. */
    private boolean propose(
        final ShardStateMachine life,
        final DirectBuffer entry,
        final int offset,
        final int length)
    {
        final byte[] bytes = new byte[length];
        entry.getBytes(offset, bytes);
        diskUse.changes();
        final Proposal proposal = new Proposal(bytes, handOver.term());
        final long ofReign = handOver.reign();
        try
        {
            // The division itself, not the server, which would hand the request to another thread and wait for it.
            final CompletableFuture<RaftClientReply> reply =
                ((RaftClientAsynchronousProtocol)division).submitClientRequestAsync(request(proposal));
            if (Refusals.isForNow(proposal, reply))
            {
                life.proposals().remove(length);
                return false;
            }
            reply.whenComplete((done, failure) -> settle(life, ofReign, length, done, failure));
        }
        catch (final IOException | RuntimeException e)
        {
            // It may be in the log nevertheless.
            settle(life, ofReign, length, null, e);
        }
        return true;
    }

    private RaftClientRequest request(final Proposal proposal)
    {
        return RaftClientRequest.newBuilder()
            .setClientId(clientId)
            .setServerId(memberId.getPeerId())
            .setGroupId(memberId.getGroupId())
            .setCallId(++callId)
            .setMessage(proposal)
            .setType(RaftClientRequest.writeRequestType())
            .build();
    }

    private void settle(
        final ShardStateMachine life,
        final long ofReign,
        final int length,
        final RaftClientReply reply,
        final Throwable failure)
    {
        life.proposals().remove(length);
        if (failure != null || !reply.isSuccess())
        {
            final Throwable cause = failure != null ? failure : reply.getException();
            if (exchange != null && Refusals.isOfRole(cause))
            {
                depose(life, ofReign);
            }
            else
            {
                fail(life, cause);
            }
        }
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
        if (hasFailed)
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
        synchronized (this)
        {
            isHopeless = state == State.FAILED || state == State.REOPENING;
            state = State.CLOSED;
        }
        handOver.close();
        PendingForces.forget(memberId);
    }

    /** Makes what Ratis shall see of the shard from now on, beginning behind an entry. */
    ShardStateMachine newStateMachine(final TermIndex start)
    {
        final Life life = new Life();
        final ShardStateMachine next = new ShardStateMachine(life, handOver, start, exchange);
        life.stateMachine = next;
        synchronized (this)
        {
            division = null;
            stateMachine = next;
        }
        return next;
    }

    ShardStateMachine stateMachine()
    {
        return stateMachine;
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

    State state()
    {
        return state;
    }

    /** Ratis' log, or null while the group is being opened. */
    private RaftLog raftLog()
    {
        final RaftServer.Division current = division;
        return current == null ? null : current.getRaftLog();
    }

    private void onLeader(final ShardStateMachine machine, final long term, final long index)
    {
        final RaftServer.Division current;
        try
        {
            current = server.getDivision(memberId.getGroupId());
        }
        catch (final IOException e)
        {
            fail(machine, e);
            return;
        }
        synchronized (this)
        {
            if (exchange != null)
            {
                // Ratis may tell that a reign has ended before it tells that it began.
                depose(machine, reign);
            }
            if (machine == stateMachine &&
                (state == State.OPENING || state == State.REOPENING || state == State.FOLLOWING))
            {
                division = current;
                handOver.unbounded(false);
                reign++;
                leadingTerm = term;
                state = State.OPEN;
                if (exchange != null)
                {
                    handOver.leading(term, index);
                    LOGGER.debug("this member leads: path={} term={}", directory, term);
                }
                // It may have been opened with little room left.
                diskUse.changes();
                handOver.ready(leadingTerm, reign);
            }
        }
    }

    /** The group is open: a member that follows is known to Ratis from here on. */
    void opened() throws IOException
    {
        final RaftServer.Division current = server.getDivision(memberId.getGroupId());
        synchronized (this)
        {
            division = current;
        }
    }

    /** This member leads no more, unless it has begun to lead again since. */
    private void depose(final ShardStateMachine machine, final long ofReign)
    {
        synchronized (this)
        {
            if (machine == stateMachine && ofReign == reign && (state == State.OPEN || state == State.NO_ROOM))
            {
                state = State.FOLLOWING;
                // Known already if Ratis told of the new leader first.
                handOver.following(term(), leader);
                LOGGER.debug("this member leads no more: path={}", directory);
            }
        }
    }

    private void onLeaderKnown(final ShardStateMachine machine, final RaftPeerId member)
    {
        synchronized (this)
        {
            leader = member.equals(memberId.getPeerId()) ? 0 : Peer.number(member);
            if (machine == stateMachine && state == State.FOLLOWING)
            {
                handOver.following(term(), leader);
            }
        }
    }

    private void onInstalled(final ShardStateMachine machine, final long index)
    {
        synchronized (this)
        {
            if (machine == stateMachine && state != State.CLOSED)
            {
                handOver.installed(index);
                // For the one that begins anew.
                handOver.following(term(), leader);
            }
        }
    }

    private long term()
    {
        final RaftServer.Division current = division;
        return current == null ? 0 : current.getInfo().getCurrentTerm();
    }

    /** Notices what Ratis has told before its time: that this member leads no more, before that it leads. */
    void checkRole()
    {
        final ShardStateMachine current = stateMachine;
        final long present = reign;
        final RaftServer.Division open = division;
        if (exchange != null && state == State.OPEN && open != null && !open.getInfo().isLeader())
        {
            depose(current, present);
        }
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

    /** An entry could not be written, or its fate is unknown. The first failure counts. */
    private void fail(final ShardStateMachine life, final Throwable failure)
    {
        synchronized (this)
        {
            if (life != stateMachine || state != State.OPENING && state != State.OPEN && state != State.NO_ROOM &&
                state != State.FOLLOWING)
            {
                return;
            }
            handOver.unbounded(true);
            if (exchange != null)
            {
                depose(life, reign);
                failForGood(failure);
                onStopped.accept(this);
            }
            else if (DiskErrors.isNoRoom(failure))
            {
                final boolean isKnown = state == State.NO_ROOM;
                state = State.REOPENING;
                if (!isKnown)
                {
                    handOver.failed("the disk is full: path=" + directory);
                }
                LOGGER.warn("log is full, and is opened anew when there is room: path={}", directory);
                onStopped.accept(this);
            }
            else
            {
                failForGood(failure);
            }
        }
    }

    /** Gives up until a restart. */
    void failForGood(final Throwable failure)
    {
        synchronized (this)
        {
            if (state != State.CLOSED && state != State.FAILED)
            {
                state = State.FAILED;
                hasFailed = true;
                handOver.failed("the log cannot be written until the server is restarted: path=" + directory +
                    ", reason=" + DiskErrors.reason(failure));
                tellOfFailure(failure);
            }
        }
    }

    /** In one line if the disk is to blame: where Ratis met the error is of no use then. */
    private void tellOfFailure(final Throwable failure)
    {
        if (DiskErrors.isOfDisk(failure))
        {
            LOGGER.error("log failed, and takes no entries until a restart: path={} reason={}", directory,
                DiskErrors.reason(failure));
        }
        else
        {
            LOGGER.error("log failed, and takes no entries until a restart: path={}", directory, failure);
        }
    }

    /** Stops taking proposals while little room is left, before Ratis notices; proofs too if it is very little. */
    void noRoom(final String reason, final boolean veryLittle)
    {
        synchronized (this)
        {
            isScarce = veryLittle;
            if (state == State.OPEN)
            {
                state = State.NO_ROOM;
                handOver.failed(reason);
                LOGGER.warn("log takes no entries: {}", reason);
            }
        }
    }

    /** Takes proposals again, once all that were made before are handed over. */
    void room()
    {
        synchronized (this)
        {
            if (state == State.NO_ROOM && stateMachine.proposals().isEmpty())
            {
                reign++;
                state = State.OPEN;
                handOver.ready(leadingTerm, reign);
                LOGGER.info("log takes entries again: path={}", directory);
            }
        }
    }

    /** Whether all that was proposed has been handed over, or has failed. */
    boolean isIdle()
    {
        return isHopeless || stateMachine.proposals().isEmpty();
    }

    DiskUse diskUse()
    {
        return diskUse;
    }

    void purgeNow()
    {
        diskUse.purgeNow(raftLog(), stateMachine);
    }

    /** One life of the group, from opening to closing it. */
    private final class Life implements GroupEvents
    {
        private ShardStateMachine stateMachine;

        @Override
        public void onLeader(final long term, final long index)
        {
            RaftShardLog.this.onLeader(stateMachine, term, index);
        }

        @Override
        public void onDeposed()
        {
            depose(stateMachine, reign);
        }

        @Override
        public void onLeaderKnown(final RaftPeerId member)
        {
            RaftShardLog.this.onLeaderKnown(stateMachine, member);
        }

        @Override
        public void onInstalled(final long index)
        {
            RaftShardLog.this.onInstalled(stateMachine, index);
        }

        @Override
        public void onFailed(final Throwable cause)
        {
            fail(stateMachine, cause);
        }

        @Override
        public boolean isProposing()
        {
            return isProposing;
        }

        @Override
        public long term()
        {
            return RaftShardLog.this.term();
        }

        @Override
        public RaftLog raftLog()
        {
            return RaftShardLog.this.raftLog();
        }
    }
}
