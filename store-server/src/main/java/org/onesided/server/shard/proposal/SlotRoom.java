package org.onesided.server.shard.proposal;

import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.table.ChainRoom;

/**
 * Decides whether a key gets a slot in the index, besides the keys that are on their way through the log. Belongs to
 * the shard's thread.
 *
 * <p>If records leave when there is no room, each key on its way can count on a bucket that is in no chain yet. Where
 * there are not so many, it gets an empty slot of its own chain, or that of a record whose removal is proposed in front
 * of it; for a chain, this is done for one key at a time.
 */
final class SlotRoom
{
    private final ChainRoom chains;
    private final LoggedEvictions evictions;
    private final ProposedKeys keys = new ProposedKeys();

    SlotRoom(final ChainRoom chains, final LoggedEvictions evictions)
    {
        this.chains = chains;
        this.evictions = evictions;
    }

    /** Whether a key that has no record has room, as it is: OK, CHAIN_FULL, or BUSY for a moment. */
    Status check(final long keyHash)
    {
        final int near = near(keyHash);
        return chains.slotsLeft(keyHash) > near ? Status.OK : near > 0 ? Status.BUSY : Status.CHAIN_FULL;
    }

    /** The same, but if records can leave, one does if need be: then OK means that the key is to be proposed now. */
    Status make(final long keyHash)
    {
        if (!evictions.areOn())
        {
            return check(keyHash);
        }
        final Status buckets = chains.spareBuckets(keys.size() + 1);
        if (buckets == Status.BUSY || buckets == Status.OK && check(keyHash) == Status.OK)
        {
            return buckets;
        }
        return near(keyHash) == 0 && (chains.hasEmptySlot(keyHash) || evictions.proposeFromChain(keyHash)) ?
            Status.OK : Status.BUSY;
    }

    /** Whether a committed request has a slot, or can get one: as {@link ChainRoom#status}. */
    Status status(final Request request)
    {
        return chains.status(request.keyHash(), request.key(), request.keyLength());
    }

    private int near(final long keyHash)
    {
        return keys.near(keyHash, chains.bucketCount());
    }

    /** A key is proposed. */
    void propose(final long keyHash)
    {
        keys.add(keyHash);
    }

    /** The key that was proposed first is applied. */
    void onApplied()
    {
        keys.removeOldest();
    }

    /** Nothing is on its way. */
    void clear()
    {
        keys.clear();
    }
}
