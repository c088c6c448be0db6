package org.onesided.server.raft;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.onesided.server.raft.peers.Peer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the log of one shard stands: what it is doing, who leads its group, and which life of the group counts. Ratis'
 * threads tell it, the upkeep's thread looks after it, and each change goes to the shard. Thread-safe.
 */
final class LogStand
{
    private static final Logger LOGGER = LoggerFactory.getLogger(LogStand.class);

    private final RaftServer server;
    private final RaftGroupMemberId memberId;
    private final Path directory;
    private final HandOver handOver;
    private final DiskUse diskUse;
    private final boolean isReplicated;
    private final Runnable onStopped;
    private volatile LogState state = LogState.OPENING;
    private volatile RaftServer.Division division;
    private volatile ShardStateMachine stateMachine;
    private volatile boolean isHopeless;
    private volatile boolean hasFailed;
    private volatile boolean isScarce;
    /** Counts how often the log was opened for proposals. */
    private volatile long reign;
    /** Term of the present or latest reign. */
    private long leadingTerm;
    private long leader;

    /**
     * @param server       of Ratis.
     * @param memberId     of the group and this member.
     * @param directory    of the log.
     * @param handOver     to the shard.
     * @param diskUse      of the log.
     * @param isReplicated whether the group has several members.
     * @param onStopped    opens a group of one anew when its disk was full, and makes a member of several leave when
     *                     its log has failed. It must not block.
     */
    LogStand(
        final RaftServer server,
        final RaftGroupMemberId memberId,
        final Path directory,
        final HandOver handOver,
        final DiskUse diskUse,
        final boolean isReplicated,
        final Runnable onStopped)
    {
        this.server = server;
        this.memberId = memberId;
        this.directory = directory;
        this.handOver = handOver;
        this.diskUse = diskUse;
        this.isReplicated = isReplicated;
        this.onStopped = onStopped;
        if (isReplicated)
        {
            state = LogState.FOLLOWING;
            handOver.following(0, 0);
        }
    }

    /** A life of the group begins, and the one before has no influence any more. */
    synchronized void begin(final ShardStateMachine next)
    {
        division = null;
        stateMachine = next;
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

    LogState state()
    {
        return state;
    }

    /** What Ratis sees of the shard. */
    ShardStateMachine stateMachine()
    {
        return stateMachine;
    }

    /** The group as Ratis has it, or null while it is being opened. */
    RaftServer.Division division()
    {
        return division;
    }

    /** Ratis' log, or null while the group is being opened. */
    RaftLog raftLog()
    {
        final RaftServer.Division current = division;
        return current == null ? null : current.getRaftLog();
    }

    /** The present term of the group; 0 while it is being opened. */
    long term()
    {
        final RaftServer.Division current = division;
        return current == null ? 0 : current.getInfo().getCurrentTerm();
    }

    /**
     * Whether the log is in that state, and the shard has heard of what came before: older drafts may build on lost
     * entries. For the shard's thread.
     */
    boolean isAsHeard(final LogState present)
    {
        return state == present && handOver.reign() == reign;
    }

    /** Whether a log with too little room for writes takes proofs. For the shard's thread. */
    boolean takesProofs()
    {
        return !isScarce && isAsHeard(LogState.NO_ROOM);
    }

    /** Whether an entry could not be written, or its fate is unknown. */
    boolean hasFailed()
    {
        return hasFailed;
    }

    /** Whether all that was proposed has been handed over, or has failed. */
    boolean isIdle()
    {
        return isHopeless || stateMachine.proposals().isEmpty();
    }

    /** This member leads, and has handed over what its log had. */
    void onLeader(final ShardStateMachine machine, final long term, final long index)
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
            if (isReplicated)
            {
                // Ratis may tell that a reign has ended before it tells that it began.
                depose(machine, reign);
            }
            if (machine == stateMachine &&
                (state == LogState.OPENING || state == LogState.REOPENING || state == LogState.FOLLOWING))
            {
                division = current;
                handOver.unbounded(false);
                reign++;
                leadingTerm = term;
                state = LogState.OPEN;
                if (isReplicated)
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

    /** This member leads no more. */
    void onDeposed(final ShardStateMachine machine)
    {
        depose(machine, reign);
    }

    /** This member leads no more, unless it has begun to lead again since. */
    private synchronized void depose(final ShardStateMachine machine, final long ofReign)
    {
        if (machine == stateMachine && ofReign == reign && (state == LogState.OPEN || state == LogState.NO_ROOM))
        {
            state = LogState.FOLLOWING;
            // Known already if Ratis told of the new leader first.
            handOver.following(term(), leader);
            LOGGER.debug("this member leads no more: path={}", directory);
        }
    }

    /** A leader is known; it may be this member. */
    synchronized void onLeaderKnown(final ShardStateMachine machine, final RaftPeerId member)
    {
        leader = member.equals(memberId.getPeerId()) ? 0 : Peer.number(member);
        if (machine == stateMachine && state == LogState.FOLLOWING)
        {
            handOver.following(term(), leader);
        }
    }

    /** A snapshot of the leader has taken the place of entries. */
    synchronized void onInstalled(final ShardStateMachine machine, final long index)
    {
        if (machine == stateMachine && state != LogState.CLOSED)
        {
            handOver.installed(index);
            // For the one that begins anew.
            handOver.following(term(), leader);
        }
    }

    /** Notices what Ratis has told before its time: that this member leads no more, before that it leads. */
    void checkRole()
    {
        final ShardStateMachine current = stateMachine;
        final long present = reign;
        final RaftServer.Division open = division;
        if (isReplicated && state == LogState.OPEN && open != null && !open.getInfo().isLeader())
        {
            depose(current, present);
        }
    }

    /** An entry that was proposed in that reign was not taken. */
    void onRefused(final ShardStateMachine life, final long ofReign, final Throwable cause)
    {
        if (isReplicated && Refusals.isOfRole(cause))
        {
            depose(life, ofReign);
        }
        else
        {
            fail(life, cause);
        }
    }

    /** An entry could not be written, or its fate is unknown. The first failure counts. */
    synchronized void fail(final ShardStateMachine life, final Throwable failure)
    {
        if (life != stateMachine || state != LogState.OPENING && state != LogState.OPEN &&
            state != LogState.NO_ROOM && state != LogState.FOLLOWING)
        {
            return;
        }
        handOver.unbounded(true);
        if (isReplicated)
        {
            depose(life, reign);
            failForGood(failure);
            onStopped.run();
        }
        else if (DiskErrors.isNoRoom(failure))
        {
            final boolean isKnown = state == LogState.NO_ROOM;
            state = LogState.REOPENING;
            if (!isKnown)
            {
                handOver.failed("the disk is full: path=" + directory);
            }
            LOGGER.warn("log is full, and is opened anew when there is room: path={}", directory);
            onStopped.run();
        }
        else
        {
            failForGood(failure);
        }
    }

    /** Gives up until a restart. */
    synchronized void failForGood(final Throwable failure)
    {
        if (state != LogState.CLOSED && state != LogState.FAILED)
        {
            state = LogState.FAILED;
            hasFailed = true;
            handOver.failed("the log cannot be written until the server is restarted: path=" + directory +
                ", reason=" + DiskErrors.reason(failure));
            tellOfFailure(failure);
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
    synchronized void noRoom(final String reason, final boolean veryLittle)
    {
        isScarce = veryLittle;
        if (state == LogState.OPEN)
        {
            state = LogState.NO_ROOM;
            handOver.failed(reason);
            LOGGER.warn("log takes no entries: {}", reason);
        }
    }

    /** Takes proposals again, once all that were made before are handed over. */
    synchronized void room()
    {
        if (state == LogState.NO_ROOM && stateMachine.proposals().isEmpty())
        {
            reign++;
            state = LogState.OPEN;
            handOver.ready(leadingTerm, reign);
            LOGGER.info("log takes entries again: path={}", directory);
        }
    }

    /** Takes no more proposals. */
    synchronized void close()
    {
        isHopeless = state == LogState.FAILED || state == LogState.REOPENING;
        state = LogState.CLOSED;
    }
}
