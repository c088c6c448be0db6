package org.onesided.server.raft;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupMemberId;

/**
 * Hands the entries of one shard to Ratis, and learns what becomes of each. The shard's thread proposes, and Ratis'
 * threads tell the fates.
 *
 * <p>An entry goes from the shard's thread to the one that writes the file, on to the one that counts what is
 * committed, on to the one that applies, and from there to the shard. Ratis offers no shorter way; it is spared the
 * thread that requests of clients go through.
 */
final class Proposer
{
    private final RaftGroupMemberId memberId;
    private final ClientId clientId;
    private final LogStand stand;
    private final HandOver handOver;
    private final DiskUse diskUse;
    private long callId;
    private volatile boolean isProposing;

    /**
     * @param memberId of the group and this member.
     * @param clientId by which Ratis knows the shard.
     * @param stand    of the log.
     * @param handOver to the shard.
     * @param diskUse  of the log.
     */
    Proposer(
        final RaftGroupMemberId memberId,
        final ClientId clientId,
        final LogStand stand,
        final HandOver handOver,
        final DiskUse diskUse)
    {
        this.memberId = memberId;
        this.clientId = clientId;
        this.stand = stand;
        this.handOver = handOver;
        this.diskUse = diskUse;
    }

    /** Proposes an entry if the log is in that state; whether it was proposed. */
    boolean tryPropose(final LogState in, final DirectBuffer entry, final int offset, final int length)
    {
        isProposing = true;
        try
        {
            final ShardStateMachine life = stand.stateMachine();
            // Counted before the look at the state: a log without room is opened only if nothing is on its way.
            if (!life.proposals().tryAdd(length))
            {
                return false;
            }
            if (!stand.isAsHeard(in) || PendingForces.areMost(memberId))
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
                ((RaftClientAsynchronousProtocol)stand.division()).submitClientRequestAsync(request(proposal));
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
            stand.onRefused(life, ofReign, failure != null ? failure : reply.getException());
        }
    }

    /** Whether the shard's thread is inside Ratis. Once the log is not open any more, it comes out and stays out. */
    boolean isProposing()
    {
        return isProposing;
    }
}
