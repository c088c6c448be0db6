package org.onesided.server.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.table.KeyHash;

/** Keys on their way are counted for each that may belong to the same bucket. */
class ProposedKeysTest
{
    private static final int KEYS = 100;

    private final Random random = new Random(1);
    private final ProposedKeys keys = new ProposedKeys();

    @ParameterizedTest
    @ValueSource(longs = {16, 100, 1000, 5000, 1 << 16, (1 << 17) + 3})
    void shouldCountAllOfABucket(final long buckets)
    {
        final long wanted = KeyHash.bucket(random.nextLong(), buckets);
        final long[] hashes = random.longs().filter((hash) -> KeyHash.bucket(hash, buckets) / 8 == wanted / 8)
            .limit(KEYS).toArray();
        final long first = hashes[0];
        int ofBucket = 0;
        for (final long hash : hashes)
        {
            keys.add(hash);
            ofBucket += KeyHash.bucket(hash, buckets) == KeyHash.bucket(first, buckets) ? 1 : 0;
        }
        assertTrue(keys.near(first, buckets) >= ofBucket);
        assertEquals(KEYS, keys.size());
        for (int i = 0; i < KEYS; i++)
        {
            keys.removeOldest();
        }
        assertEquals(0, keys.near(first, buckets));
    }
}
