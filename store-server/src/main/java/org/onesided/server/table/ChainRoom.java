package org.onesided.server.table;

import static org.onesided.protocol.table.BucketDescriptor.MAX_CHAIN_LENGTH;
import static org.onesided.protocol.table.BucketDescriptor.SLOT_COUNT;

import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.SlotWord;

/**
 * Tells how many keys a chain can still get. Belongs to the shard's thread.
 */
public final class ChainRoom
{
    private final BucketChains chains;
    private final BucketSplitter splitter;
    private final OverflowBuckets overflow;

    ChainRoom(final BucketChains chains, final BucketSplitter splitter, final OverflowBuckets overflow)
    {
        this.overflow = overflow;
        this.chains = chains;
        this.splitter = splitter;
    }

    /**
     * @param hash of a key.
     * @return slots that are empty in the chain where the key belongs, or that its further buckets would have.
     */
    public int slotsLeft(final long hash)
    {
        int taken = 0;
        chains.visit(hash);
        while (chains.next())
        {
            taken += chains.word() == SlotWord.EMPTY ? 0 : 1;
        }
        return MAX_CHAIN_LENGTH * SLOT_COUNT - taken;
    }

    /**
     * @param hash      of a key.
     * @param key       its raw address.
     * @param keyLength in bytes.
     * @return OK if the key has a slot or can get one; else BUSY, GROWTH_REFUSED, INDEX_FULL or CHAIN_FULL.
     */
    public Status status(final long hash, final long key, final int keyLength)
    {
        return chains.find(hash, key, keyLength) ? Status.OK : chains.room();
    }

    /**
     * @param hash of a key.
     * @return whether the chain where the key belongs has an empty slot.
     */
    public boolean hasEmptySlot(final long hash)
    {
        return chains.hasEmptySlot(hash);
    }

    /**
     * Tells whether chains can get longer. Splitting buckets does not change that: the two chains that come of one need
     * no more overflow buckets than the one has.
     *
     * @param wanted buckets that chains may need.
     * @return OK if there are so many that are in no chain; BUSY if memory for them is on its way; GROWTH_REFUSED if
     *         the system has none for now; INDEX_FULL if there will be none.
     */
    public Status spareBuckets(final int wanted)
    {
        return overflow.room(wanted);
    }

    /**
     * @return buckets in use, overflow buckets not included.
     */
    public long bucketCount()
    {
        return splitter.bucketCount();
    }
}
