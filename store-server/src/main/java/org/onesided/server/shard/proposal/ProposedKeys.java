package org.onesided.server.shard.proposal;

import java.util.Arrays;
import org.agrona.collections.IntArrayQueue;
import org.onesided.protocol.table.KeyHash;

/**
 * Counts the keys that are on their way through the log by the part of the index where they belong. A chain has a
 * longest length, and a client that knows the hash can send more keys for one bucket than it takes. Belongs to the
 * shard's thread.
 */
final class ProposedKeys
{
    /** As if the index had so many buckets. */
    private static final int PARTS = 1 << 10;

    private final int[] counts = new int[PARTS];
    private final IntArrayQueue order = new IntArrayQueue(-1);

    private static int part(final long hash)
    {
        return (int)KeyHash.bucket(hash, PARTS);
    }

    void add(final long hash)
    {
        order.addInt(part(hash));
        counts[part(hash)]++;
    }

    /** The oldest has arrived. */
    void removeOldest()
    {
        if (!order.isEmpty())
        {
            counts[order.pollInt()]--;
        }
    }

    /** How many are on their way. */
    int size()
    {
        return order.size();
    }

    /**
     * At least the number of keys on their way that belong to the bucket of this one.
     *
     * @param buckets in use: those of a level, and one more for each of them that is split.
     */
    int near(final long hash, final long buckets)
    {
        // A bucket that is not split yet is less than twice as wide as the mean.
        final int width = (int)(2L * PARTS / buckets) + 1;
        final int middle = part(hash);
        int sum = 0;
        for (int i = Math.max(0, middle - width); i <= Math.min(PARTS - 1, middle + width); i++)
        {
            sum += counts[i];
        }
        return sum;
    }

    void clear()
    {
        order.clear();
        Arrays.fill(counts, 0);
    }
}
