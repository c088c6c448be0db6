package org.onesided.server.raft;

import java.io.IOException;
import java.util.Comparator;
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

/**
 * What is asked of a group's leader beside entries. Thread-safe.
 */
final class GroupAdmin
{
    /** A member that has not answered for longer may be dead. An idle leader asks more often. */
    private static final long ALIVE_MS = 1000;

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
     * Gives leadership to another member. The leader takes no proposals until that has succeeded or failed.
     *
     * @param to        leads from then on; it is waited for if it lacks entries.
     * @param timeoutMs after which it has failed, at least 1.
     * @return completes when the other one leads.
     */
    CompletableFuture<Void> transfer(final RaftPeerId to, final long timeoutMs)
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
     * The members that follow a leader and have answered lately, those with most entries first; none if the member does
     * not lead.
     */
    static List<RaftPeerId> followers(final DivisionInfo info)
    {
        final long[] matches = info.getFollowerMatchIndices();
        final List<ServerRpcProto> infos = info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
        // Asked one after the other, both in the order of the threads that send to the followers.
        if (matches == null || matches.length != infos.size())
        {
            return List.of();
        }
        return IntStream.range(0, matches.length).boxed()
            .filter((i) -> infos.get(i).getLastRpcElapsedTimeMs() <= ALIVE_MS)
            .sorted(Comparator.comparing((i) -> -matches[i]))
            .map((i) -> RaftPeerId.valueOf(infos.get(i).getId().getId())).toList();
    }

    /** Gives leadership to the first member that can take it. */
    CompletableFuture<Void> giveAway(final List<RaftPeerId> followers, final long timeoutMs)
    {
        if (followers.isEmpty())
        {
            return CompletableFuture.failedFuture(new IllegalStateException("no other member can lead"));
        }
        final List<RaftPeerId> others = followers.subList(1, followers.size());
        final CompletableFuture<Void> first = transfer(followers.get(0), timeoutMs);
        return others.isEmpty() ? first : first.exceptionallyCompose((failure) -> giveAway(others, timeoutMs));
    }

    private static void check(final RaftClientReply reply)
    {
        if (!reply.isSuccess())
        {
            throw new CompletionException(reply.getException());
        }
    }
}
