package org.onesided.server.table;

import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/**
 * Chooses the record of a shard that leaves next, by an {@link Evictor}, and removes nothing. Belongs to the shard's
 * thread.
 */
public final class Victims
{
    /** Buckets that are looked at for one victim at most: in a table with few records most are empty. */
    private static final int MAX_BUCKETS = 256;

    private final ShardLayout layout;
    private final BucketSplitter splitter;
    private final BucketChains chains;
    private final EvictionCandidates candidates;
    private final Evictor evictor;
    private final StateRandom random;
    private int chosen;

    Victims(
        final ShardLayout layout,
        final BucketSplitter splitter,
        final BucketChains chains,
        final EvictionCandidates candidates,
        final Evictor evictor,
        final long seed)
    {
        this.layout = layout;
        this.splitter = splitter;
        this.chains = chains;
        this.candidates = candidates;
        this.evictor = evictor;
        random = new StateRandom(seed);
    }

    /**
     * Chooses one of some records from random buckets.
     *
     * @return whether there is one that may leave.
     */
    public boolean choose()
    {
        candidates.clear();
        final long first = layout.firstInUse(splitter.point());
        final long count = splitter.bucketCount();
        final int wanted = Math.min(EvictionCandidates.MAX_WANTED, evictor.candidatesWanted());
        for (int i = 0; i < MAX_BUCKETS && candidates.count() < wanted; i++)
        {
            candidates.addChain(layout.bucketOffset(first + random.below(count)));
        }
        return chooseOne();
    }

    /**
     * Chooses one of the records in the chain where a key belongs.
     *
     * @param keyHash of the key.
     * @return whether there is one that may leave.
     */
    public boolean chooseFromChain(final long keyHash)
    {
        candidates.clear();
        candidates.addChain(layout.bucketOffset(layout.bucket(keyHash, splitter.point())));
        return chooseOne();
    }

    private boolean chooseOne()
    {
        final boolean isAny = candidates.isAnyFree();
        chosen = isAny ? evictor.choose(candidates) : -1;
        return isAny;
    }

    /**
     * @return hash of the key that the chosen record has.
     */
    public long hash()
    {
        return candidates.hash(chosen);
    }

    /**
     * @return version of the chosen record.
     */
    public long version()
    {
        return candidates.version(chosen);
    }

    /**
     * @return bytes that the chosen record takes in the heap.
     */
    public long length()
    {
        return granules() * SlotWord.GRANULE;
    }

    /** Granules of the chosen record. */
    long granules()
    {
        return candidates.granules(chosen);
    }

    /** Makes the slot of the chosen record the current one of the chains. */
    void select()
    {
        candidates.select(chosen, chains);
    }
}
