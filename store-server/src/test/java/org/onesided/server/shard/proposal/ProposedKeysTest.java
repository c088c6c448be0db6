package org.onesided.server.shard.proposal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SplitPoint;

/** Keys on their way are counted for each that may belong to the same bucket, however far its level is split. */
class ProposedKeysTest
{
    private static final int KEYS = 100;
    private static final int HASHES = 20;
    private static final int LEVELS = 8;
    /** Bits of a hash that say which bucket it belongs to. */
    private static final int BUCKET_BITS = 48;
    private static final long LAST = (1L << BUCKET_BITS) - 1;

    private final Random random = new Random(1);
    private final ProposedKeys keys = new ProposedKeys();

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 100, 777, 1000, 5000})
    void shouldCountAllOfABucket(final int firstBuckets)
    {
        final ShardLayout layout = new ShardLayout(0, firstBuckets, LEVELS, 0, 1, 0, 32);
        for (int level = 0; level < LEVELS - 1; level++)
        {
            final long ofLevel = (long)firstBuckets << level;
            for (final long split : new long[] {0, ofLevel / 3, ofLevel / 2, ofLevel - 1})
            {
                final long point = SplitPoint.of(level, split);
                final long first = layout.firstInUse(point);
                shouldCountAllOf(LAST, layout, point, layout.child(first) - first, ofLevel);
                for (int i = 0; i < HASHES; i++)
                {
                    shouldCountAllOf(random.nextLong() & LAST, layout, point, layout.child(first) - first, ofLevel);
                }
            }
        }
    }

    /** Counts the keys of a hash's bucket among many with hashes around it. */
    private void shouldCountAllOf(
        final long hash, final ShardLayout layout, final long point, final long buckets, final long ofLevel)
    {
        final long widest = (1L << BUCKET_BITS) / ofLevel;
        int ofBucket = 0;
        for (int i = 0; i < KEYS; i++)
        {
            final long other = Math.max(0, Math.min(LAST, hash + random.nextLong(-widest, widest + 1)));
            keys.add(other);
            ofBucket += layout.bucket(other, point) == layout.bucket(hash, point) ? 1 : 0;
        }
        assertTrue(keys.near(hash, buckets) >= ofBucket, "buckets=" + buckets + " hash=" + hash);
        assertEquals(KEYS, keys.size());
        for (int i = 0; i < KEYS; i++)
        {
            keys.removeOldest();
        }
        assertEquals(0, keys.near(hash, buckets));
    }
}
