package org.onesided.server.shard.reign;

/**
 * Who leads a shard's log, as far as its entries up to now tell. The only member of a log always leads. Belongs to the
 * shard's thread.
 */
public final class Leadership
{
    private boolean isFollowing;
    private long term;
    private long leader;

    /**
     * @param isReplicated whether the log has several members: then this one does not lead at the beginning.
     */
    public Leadership(final boolean isReplicated)
    {
        isFollowing = isReplicated;
    }

    /** This member is about to lead. */
    void onLeading(final long ofTerm)
    {
        term = ofTerm;
        leader = 0;
    }

    /** All that the log had is applied, and it takes proposals. */
    void onReady()
    {
        isFollowing = false;
    }

    /**
     * This member does not lead.
     *
     * @param ofTerm in which another one leads, or may lead.
     * @param number of that member; 0 if it is not known.
     */
    public void onFollowing(final long ofTerm, final long number)
    {
        isFollowing = true;
        term = ofTerm;
        leader = number;
    }

    /**
     * @return whether another member leads, or may lead.
     */
    public boolean isFollowing()
    {
        return isFollowing;
    }

    /**
     * @return term in which this member leads, or has heard of the leader; 0 if none is known, or there are no others.
     */
    public long term()
    {
        return term;
    }

    /**
     * @return number of the member that leads; 0 if it is this one, or is not known.
     */
    public long leader()
    {
        return leader;
    }
}
