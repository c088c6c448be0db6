package org.onesided.server.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The leases that the leader of one shard grants, by the rules of docs/cluster-model.md. It grants a lease with a
 * proof: an entry of its own term that it proposed after the request had arrived and after its wait, and that is
 * applied to its own memory. Any entry is a proof, so with writes leases cost nothing; without, {@link #needsProof}
 * asks for an empty one. One proof serves all requests that arrived before it. Belongs to the shard's thread.
 *
 * <p>The shard tells what happens in this order: {@link #onLeading}; then {@link #onProposed} and {@link #onApplied}
 * once for each of its own entries, in their order; and {@link #onDeposed} as soon as it does not lead any more.
 */
public final class LeaderLeases
{
    /** A request that waits for a proof. */
    private record Waiting(long client, long requestId)
    {
    }

    /** An entry on its way, and the requests that were there when it was proposed. */
    private record Proof(boolean counts, List<Waiting> requests)
    {
    }

    private final LeaseTime time;
    private final long life;
    private final LongSupplier clock;
    private final Consumer<LeaseGrant> grants;
    /** Requests for which no proof is on its way. */
    private List<Waiting> unproven = new ArrayList<>();
    private final ArrayDeque<Proof> proofs = new ArrayDeque<>();
    private boolean isLeading;
    private boolean isReleased;
    private long term;
    private long waitEndNs;
    private long lastGrantNs;

    /**
     * @param time   of the cluster.
     * @param life   of the server, another one each time that its memory begins anew.
     * @param clock  that goes on while the machine is suspended, in nanoseconds.
     * @param grants takes what is granted, to be sent at once.
     */
    public LeaderLeases(
        final LeaseTime time, final long life, final LongSupplier clock, final Consumer<LeaseGrant> grants)
    {
        this.time = time;
        this.life = life;
        this.clock = clock;
        this.grants = grants;
    }

    /**
     * This server leads and knows it. Leases of leaders before may still be held, so it waits.
     *
     * @param ofTerm     in which it leads.
     * @param isReleased whether the last entry before its own first one is the RELEASE of the leader before: no lease
     *                   is held any more, and it need not wait.
     */
    public void onLeading(final long ofTerm, final boolean isReleased)
    {
        forget();
        isLeading = true;
        term = ofTerm;
        final long nowNs = clock.getAsLong();
        waitEndNs = isReleased ? nowNs : nowNs + time.waitNs();
        // Nothing was granted yet, but a RELEASE too early would cut the wait of the leader before short.
        lastGrantNs = nowNs - time.waitNs();
    }

    /** This server leads no more. What was asked and not granted never is. */
    public void onDeposed()
    {
        forget();
    }

    private void forget()
    {
        isLeading = false;
        isReleased = false;
        unproven.clear();
        proofs.clear();
    }

    /**
     * @return whether the server may answer requests: it leads, and its wait is over. Before, it answers nothing, not
     *         even a write that an older leader has executed.
     */
    public boolean mayAnswer()
    {
        return isLeading && clock.getAsLong() - waitEndNs >= 0;
    }

    /**
     * @return nanoseconds until the server may answer; 0 if it may, {@link Long#MAX_VALUE} if it does not lead.
     */
    public long restNs()
    {
        return isLeading ? Math.max(0, waitEndNs - clock.getAsLong()) : Long.MAX_VALUE;
    }

    /**
     * A client asks for a lease.
     *
     * @param client    who asks. Its latest request counts.
     * @param requestId that it gave the request.
     * @return whether the request waits for a proof; if not, this server does not lead, and the client has to ask
     *         elsewhere. If leases are not granted any more in this term, it waits until another server leads.
     */
    public boolean request(final long client, final long requestId)
    {
        if (!isLeading)
        {
            return false;
        }
        unproven.removeIf((waiting) -> waiting.client == client);
        unproven.add(new Waiting(client, requestId));
        return true;
    }

    /**
     * @return whether an empty entry is to be proposed unless there is another one, as requests wait that no entry on
     *         its way is a proof for.
     */
    public boolean needsProof()
    {
        return !unproven.isEmpty() && !isReleased && mayAnswer();
    }

    /**
     * No entry can be proposed, nor will be soon: requests for which no proof is on its way are given up.
     */
    public void withdraw()
    {
        unproven.clear();
    }

    /**
     * An entry was proposed in the present term.
     *
     * @param isPastWait whether {@link #mayAnswer} was so before.
     */
    public void onProposed(final boolean isPastWait)
    {
        if (!isLeading)
        {
            return;
        }
        // One that is logged during the wait does not count: a write behind it may be shown before by an older leader.
        final boolean counts = !isReleased && isPastWait;
        proofs.add(new Proof(counts, counts ? unproven : List.of()));
        if (counts)
        {
            unproven = new ArrayList<>();
        }
    }

    /**
     * The oldest entry that was proposed is applied to this server's memory.
     *
     * @param ofTerm in which it was logged.
     */
    public void onApplied(final long ofTerm)
    {
        if (!isLeading || ofTerm != term || proofs.isEmpty())
        {
            return;
        }
        final Proof proof = proofs.remove();
        if (proof.counts && !isReleased)
        {
            for (final Waiting waiting : proof.requests)
            {
                grants.accept(new LeaseGrant(waiting.client, waiting.requestId, life, term));
            }
            if (!proof.requests.isEmpty())
            {
                lastGrantNs = clock.getAsLong();
            }
        }
    }

    /**
     * Grants nothing any more in this term, so that another server can take over without a wait. The leader goes on to
     * answer writes until it has logged RELEASE.
     *
     * @return whether RELEASE may be logged now: the own wait is over, and so is every lease that was granted.
     */
    public boolean tryRelease()
    {
        if (!mayAnswer())
        {
            return false;
        }
        isReleased = true;
        return clock.getAsLong() - lastGrantNs >= time.waitNs();
    }
}
