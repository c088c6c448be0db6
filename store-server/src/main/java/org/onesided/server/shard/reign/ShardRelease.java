package org.onesided.server.shard.reign;

import java.util.concurrent.CompletableFuture;
import org.onesided.server.shard.proposal.Proposals;

/**
 * The end of a leader's reign that is planned: it grants no more leases, waits until none is held, logs RELEASE as the
 * last of its entries, and serves no more. Belongs to the shard's thread.
 */
public final class ShardRelease
{
    private final ShardLeases leases;
    private final Proposals proposals;
    /** Who waits for the end, or null. */
    private CompletableFuture<Boolean> waiting;
    private boolean isProposed;

    ShardRelease(final ShardLeases leases, final Proposals proposals)
    {
        this.leases = leases;
        this.proposals = proposals;
    }

    /**
     * Begins.
     *
     * @param end becomes true when RELEASE is applied, and false if it will not be.
     */
    public void begin(final CompletableFuture<Boolean> end)
    {
        cancel();
        waiting = end;
        if (!leases.isServing() || !proposals.isOpen())
        {
            cancel();
        }
    }

    /**
     * @return whether it is under way.
     */
    public boolean isUnderWay()
    {
        return waiting != null;
    }

    /**
     * @return whether RELEASE is proposed, and no write is to follow.
     */
    public boolean isProposed()
    {
        return isProposed;
    }

    /** Adds RELEASE to what is proposed, once it may. */
    public void step()
    {
        if (waiting != null && !isProposed && leases.tryRelease())
        {
            isProposed = true;
            proposals.release();
        }
    }

    /** The shard's own RELEASE is applied. */
    void onApplied()
    {
        end(true);
    }

    /** The log takes no more proposals: RELEASE may be in it or not. */
    public void cancel()
    {
        end(false);
    }

    private void end(final boolean isReleased)
    {
        isProposed = false;
        if (waiting != null)
        {
            final CompletableFuture<Boolean> told = waiting;
            waiting = null;
            told.complete(isReleased);
        }
    }
}
