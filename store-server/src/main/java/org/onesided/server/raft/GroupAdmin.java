package org.onesided.server.raft;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.onesided.server.raft.peers.Peer;

/**
 * What is asked of a group's leader beside entries. Thread-safe.
 */
final class GroupAdmin
{
    private final RaftServer server;
    private final RaftGroupMemberId memberId;
    private final ClientId clientId;
    /** Counts down, so that no number is that of a proposal. */
    private final AtomicLong callId = new AtomicLong(Long.MAX_VALUE);

    GroupAdmin(final RaftServer server, final RaftGroupMemberId memberId, final ClientId clientId)
    {
        this.server = server;
        this.memberId = memberId;
        this.clientId = clientId;
    }

    /**
     * Gives leadership to another member. The leader takes no proposals until that has succeeded or failed. Not to be
     * called by what hears of the end of another call: that is told with Ratis' locks held, which this one needs.
     *
     * @param to        number of the member that leads from then on; it is waited for if it lacks entries.
     * @param timeoutMs after which it has failed, at least 1.
     * @return completes when the other one leads.
     */
    CompletableFuture<Void> transfer(final long to, final long timeoutMs)
    {
        return request(Peer.id(to), timeoutMs);
    }

    /** As {@link Lead#stepDown}. */
    CompletableFuture<Void> stepDown(final long timeoutMs)
    {
        return request(null, timeoutMs);
    }

    private CompletableFuture<Void> request(final RaftPeerId to, final long timeoutMs)
    {
        try
        {
            return server.transferLeadershipAsync(new TransferLeadershipRequest(
                clientId, memberId.getPeerId(), memberId.getGroupId(), callId.decrementAndGet(), to, timeoutMs))
                .thenAccept(GroupAdmin::check);
        }
        catch (final IOException e)
        {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * The members that follow a leader, in no order; none if the member does not lead.
     *
     * @param committed index of the last entry that is committed.
     */
    static List<Follower> followers(final DivisionInfo info, final long committed)
    {
        final long[] matches = info.getFollowerMatchIndices();
        final List<ServerRpcProto> infos = info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
        // Asked one after the other, both in the order of the threads that send to the followers.
        if (matches == null || matches.length != infos.size())
        {
            return List.of();
        }
        return IntStream.range(0, matches.length).mapToObj((i) -> Follower.of(
            Peer.number(RaftPeerId.valueOf(infos.get(i).getId().getId())), Math.max(0, committed - matches[i]),
            infos.get(i).getLastRpcElapsedTimeMs())).toList();
    }

    private static void check(final RaftClientReply reply)
    {
        if (!reply.isSuccess())
        {
            throw new CompletionException(reply.getException());
        }
    }
}
