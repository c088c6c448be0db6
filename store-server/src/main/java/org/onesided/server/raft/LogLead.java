package org.onesided.server.raft;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.ratis.server.RaftServer;
import org.onesided.server.raft.peers.Peer;

/**
 * What the leader of a log knows of those that follow, and how it lets one of them lead. Thread-safe.
 */
public final class LogLead implements Lead
{
    /** Gives null while the log is not open. */
    private final Supplier<RaftServer.Division> division;
    private final GroupAdmin admin;

    LogLead(final Supplier<RaftServer.Division> division, final GroupAdmin admin)
    {
        this.division = division;
        this.admin = admin;
    }

    @Override
    public boolean isLeading()
    {
        final RaftServer.Division current = division.get();
        return current != null && current.getInfo().isLeader();
    }

    @Override
    public boolean isLedElsewhere()
    {
        final RaftServer.Division current = division.get();
        return current != null && !current.getInfo().isLeader() && current.getInfo().getLeaderId() != null &&
            !current.getInfo().getLeaderId().equals(current.getId());
    }

    /**
     * @param member number of another member.
     * @return whether it leads, as far as this one has heard.
     */
    public boolean isLedBy(final long member)
    {
        final RaftServer.Division current = division.get();
        return current != null && Peer.id(member).equals(current.getInfo().getLeaderId());
    }

    /**
     * @return the members that follow, in no order; none if this member does not lead, or is the only one.
     */
    public List<Follower> followers()
    {
        final RaftServer.Division current = division.get();
        return current == null ? List.of() :
            GroupAdmin.followers(current.getInfo(), current.getRaftLog().getLastCommittedIndex());
    }

    /**
     * @return whether this member leads, and another one is alive that could lead instead.
     */
    public boolean canGiveAway()
    {
        return isLeading() && !candidates().isEmpty();
    }

    @Override
    public boolean isDispensable()
    {
        final List<Follower> followers = followers();
        return followers.stream().filter(Follower::isInSync).count() > (followers.size() + 1) / 2;
    }

    @Override
    public List<Long> candidates()
    {
        return followers().stream().filter(Follower::isAlive)
            .sorted(Comparator.comparingLong(Follower::behind)).map(Follower::member).toList();
    }

    @Override
    public CompletableFuture<Void> give(final long member, final long timeoutMs)
    {
        return admin.transfer(member, timeoutMs);
    }

    @Override
    public CompletableFuture<Void> stepDown(final long timeoutMs)
    {
        return admin.stepDown(timeoutMs);
    }
}
