package org.onesided.server;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.onesided.server.raft.Lead;

/**
 * A partition gets another leader in order. First, those that stay must be able to go on without this member, as far as
 * that does not take too long. Then this member ends its leases and logs RELEASE, so that the next leader need not wait
 * for them. At last it gives leadership away. Not thread-safe.
 */
final class PartitionHandover
{
    /** Longest time of all. */
    static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);
    /** Longest time of it until RELEASE is logged. */
    static final long RELEASE_NS = TimeUnit.SECONDS.toNanos(7);
    /** Longest wait for the others. A member that returned is in sync after a moment, one that is lost never is. */
    static final long SYNC_NS = TimeUnit.SECONDS.toNanos(3);
    /** After so long without a leader, or without a member that could lead, there will be none: others stop, too. */
    static final long LONELY_NS = TimeUnit.SECONDS.toNanos(3);
    /** Longest time for one other member to take over. */
    private static final long TRANSFER_MS = 1500;
    /** Any member will do. */
    private static final long ANY = 0;

    private final Lead lead;
    private final Supplier<CompletableFuture<Boolean>> release;
    private final long target;
    /** Members that did not get it yet. */
    private final ArrayDeque<Long> candidates = new ArrayDeque<>();
    /** Null while the others are waited for. */
    private CompletableFuture<Boolean> released;
    /** Null while RELEASE is waited for. */
    private CompletableFuture<Void> given;
    private boolean hasSteppedDown;
    private boolean wasReleased;
    private boolean isLedElsewhere;
    /** When there was a leader, or a member that could lead. */
    private long companyNs;
    private boolean isLonely;

    private PartitionHandover(
        final Lead lead, final Supplier<CompletableFuture<Boolean>> release, final long target)
    {
        this.lead = lead;
        this.release = release;
        this.target = target;
    }

    /**
     * This member is about to end. If it leads again, it is tried again.
     *
     * @param release begins the end of the leases; completes with whether RELEASE is logged.
     */
    static PartitionHandover toAny(final Lead lead, final Supplier<CompletableFuture<Boolean>> release)
    {
        return new PartitionHandover(lead, release, ANY);
    }

    /**
     * This member stays, and another one is to lead. If that one does not take over, any other may, or all elect a
     * leader: this one could not serve any more in its term.
     */
    static PartitionHandover to(
        final long member, final Lead lead, final Supplier<CompletableFuture<Boolean>> release)
    {
        return new PartitionHandover(lead, release, member);
    }

    /**
     * Does what can be done now.
     *
     * @param sinceNs nanoseconds since the first step.
     */
    void step(final long sinceNs)
    {
        isLedElsewhere = lead.isLedElsewhere();
        if (isLedElsewhere || lead.isLeading() && !lead.candidates().isEmpty())
        {
            companyNs = sinceNs;
        }
        if (!lead.isLeading())
        {
            // There may be no leader yet: until there is one, this member's vote may be needed.
            isLonely = sinceNs - companyNs >= LONELY_NS;
        }
        else if (target == ANY && sinceNs - companyNs >= LONELY_NS)
        {
            isLonely = true;
        }
        else if (released == null)
        {
            if (target != ANY || sinceNs >= SYNC_NS || lead.isDispensable())
            {
                released = release.get();
            }
        }
        else if (given == null && (released.isDone() || sinceNs >= RELEASE_NS))
        {
            wasReleased = released.getNow(false);
            candidates.addAll(lead.candidates());
            if (target != ANY)
            {
                candidates.remove(target);
                candidates.addFirst(target);
            }
            giveNext();
        }
        else if (given != null && given.isDone() && !hasSteppedDown)
        {
            // Nobody took it, or it was given back.
            giveNext();
        }
    }

    private void giveNext()
    {
        if (!candidates.isEmpty())
        {
            given = lead.give(candidates.remove(), TRANSFER_MS);
        }
        else if (target != ANY)
        {
            hasSteppedDown = true;
            given = lead.stepDown(TRANSFER_MS);
        }
        else if (wasReleased)
        {
            // It cannot serve any more in its term: the others find a leader sooner when it has ended.
            isLonely = true;
        }
        else
        {
            released = null;
            given = null;
        }
    }

    /** Whether nothing more is to be done. */
    boolean isDone()
    {
        return isLedElsewhere || isLonely || hasSteppedDown && given.isDone();
    }

    /** Whether another member leads now. */
    boolean isHandedOver()
    {
        return isLedElsewhere;
    }

    /** Whether RELEASE was logged, the last time. */
    boolean isReleased()
    {
        return wasReleased;
    }
}
