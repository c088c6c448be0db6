package org.onesided.server.shard.reign;

import java.util.List;
import java.util.function.Consumer;
import org.onesided.server.shard.proposal.Proposals;
import org.onesided.server.shard.session.LoggedSessions;

/**
 * What this member is to a shard's log with several members: it follows, leads and waits, serves, or hands over. Tells
 * the server of it. The only member of a log always serves, and nobody is told. Belongs to the shard's thread.
 */
public final class ShardReign
{
    private final Leadership leadership;
    private final ShardLeases leases;
    private final ShardRelease release;
    private final Consumer<ShardRole> onRole;

    /**
     * @param leadership of the log.
     * @param leases     of the shard.
     * @param proposals  take RELEASE.
     * @param onRole     told each time that this member begins or ends to serve, or hears of another leader.
     */
    public ShardReign(
        final Leadership leadership,
        final ShardLeases leases,
        final Proposals proposals,
        final Consumer<ShardRole> onRole)
    {
        this.leadership = leadership;
        this.leases = leases;
        this.onRole = onRole;
        release = new ShardRelease(leases, proposals);
    }

    /**
     * @return who leads.
     */
    public Leadership leadership()
    {
        return leadership;
    }

    /**
     * @return leases, and whether this member answers at all.
     */
    public ShardLeases leases()
    {
        return leases;
    }

    /**
     * @return the end of the reign in order.
     */
    public ShardRelease release()
    {
        return release;
    }

    /**
     * Serves from now on, if the time has come; clients may resume the sessions that the log knows.
     *
     * @param sessions that the log knows.
     */
    public void tryServe(final LoggedSessions sessions)
    {
        if (leases.tryServe())
        {
            onRole.accept(new ShardRole(leadership.term(), 0, true, sessions.resumable()));
        }
    }

    /**
     * This member is about to lead; it need not wait if the log's last entry before is RELEASE.
     *
     * @param term       in which it leads.
     * @param isReleased whether that is so.
     */
    public void onLeading(final long term, final boolean isReleased)
    {
        leadership.onLeading(term);
        leases.onLeading(term, isReleased);
    }

    /**
     * All that the log had is applied, and it takes proposals.
     *
     * @return whether this member has followed before.
     */
    public boolean onReady()
    {
        final boolean hasFollowed = leadership.isFollowing();
        leadership.onReady();
        leases.onReady();
        return hasFollowed;
    }

    /**
     * Another member leads, or may lead.
     *
     * @param term   in which it leads.
     * @param leader number of that member; 0 if it is not known.
     * @return whether this member has led before.
     */
    public boolean onFollowing(final long term, final long leader)
    {
        final boolean hasLed = !leadership.isFollowing();
        leadership.onFollowing(term, leader);
        leases.onFollowing();
        release.cancel();
        onRole.accept(new ShardRole(term, leader, false, List.of()));
        return hasLed;
    }

    /**
     * An entry of this member's is applied, and proves that it led when it proposed it.
     *
     * @param term      of the entry.
     * @param isRelease whether the entry ends with RELEASE.
     */
    public void onApplied(final long term, final boolean isRelease)
    {
        leases.onApplied(term);
        if (isRelease && release.isUnderWay())
        {
            onReleased();
        }
    }

    /** The next leader may serve at once, so this one does not any more. */
    private void onReleased()
    {
        leases.onReleased();
        onRole.accept(new ShardRole(leadership.term(), 0, false, List.of()));
        release.onApplied();
    }
}
