package org.onesided.server.raft;

import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.util.JavaUtils;

/**
 * Why Ratis does not take a proposal although the log can be written.
 */
final class Refusals
{
    private Refusals()
    {
    }

    /**
     * Whether Ratis had no room for one more, as when its leader is about to step down, and has not appended the entry.
     *
     * @param proposal that was submitted just now.
     * @param reply    to it.
     * @return whether it may be tried again.
     */
    static boolean isForNow(final Proposal proposal, final CompletableFuture<RaftClientReply> reply)
    {
        return !proposal.isAppended() && reply.isCompletedExceptionally() && reply.handle((done, failure) ->
            JavaUtils.unwrapCompletionException(failure) instanceof ResourceUnavailableException).getNow(false);
    }

    /**
     * Whether a proposal has failed as this member leads no more, or not yet, or has led anew since. Ratis has no room
     * for what it has appended only if it stops to lead meanwhile.
     */
    static boolean isOfRole(final Throwable failure)
    {
        final Throwable cause = JavaUtils.unwrapCompletionException(failure);
        return cause instanceof NotLeaderException || cause instanceof LeaderNotReadyException ||
            cause instanceof LeaderSteppingDownException || cause instanceof StaleProposalException ||
            cause instanceof ResourceUnavailableException;
    }
}
