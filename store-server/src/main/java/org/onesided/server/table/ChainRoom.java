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

    ChainRoom(final BucketChains chains, final BucketSplitter splitter)
    {
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
     * @return buckets in use, overflow buckets not included.
     */
    public long bucketCount()
    {
        return splitter.bucketCount();
    }
}
