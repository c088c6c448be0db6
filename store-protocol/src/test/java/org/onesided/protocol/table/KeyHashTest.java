package org.onesided.protocol.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyHashTest
{
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 1000, 1_000_003, (1L << 31) - 1})
    void shouldSplitABucketInTwoWhenTheirCountDoubles(final long count)
    {
        final Random random = new Random(count);
        for (int i = 0; i < 20_000; i++)
        {
            final long hash = i == 0 ? 0 : i == 1 ? -1 : random.nextLong();
            final long bucket = KeyHash.bucket(hash, count);
            assertTrue(bucket >= 0 && bucket < count);
            assertEquals(bucket, KeyHash.bucket(hash, 2 * count) / 2);
        }
    }

    @Test
    void shouldUseAllBucketsAlike()
    {
        final int count = 1000;
        final int[] keys = new int[count];
        final KeyHash keyHash = new KeyHash(1);
        final long address = UnsafeApi.allocateMemory(8);
        for (int i = 0; i < count * 100; i++)
        {
            UnsafeApi.putLong(address, i);
            keys[(int)KeyHash.bucket(keyHash.hash(address, 8), count)]++;
        }
        UnsafeApi.freeMemory(address);
        for (final int here : keys)
        {
            assertTrue(here > 50 && here < 150, () -> "keys of a bucket: " + here);
        }
    }

    /** Multiplication by an odd number permutes the hashes, so these are as good as any others. */
    @Test
    void shouldGiveAllShardsEqualShares()
    {
        final long inverse = inverse(0x9E37_79B9_7F4A_7C15L);
        final int count = 1 << 20;
        for (int shards = 1; shards <= SuperblockDescriptor.MAX_SHARDS; shards++)
        {
            final int[] hashes = new int[shards];
            for (long i = 0; i < count; i++)
            {
                hashes[KeyHash.shard((i << 44) * inverse, shards)]++;
            }
            for (final int here : hashes)
            {
                assertTrue(Math.abs(here - (double)count / shards) < 1, "shards=" + shards + " hashes=" + here);
            }
        }
    }

    private static long inverse(final long odd)
    {
        long inverse = odd;
        for (int i = 0; i < 6; i++)
        {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** Ten million keys in 63 shards, each shard's in a thousand buckets. */
    @Test
    void shouldSpreadTheKeysOfEachShardEvenly()
    {
        final int shards = 63;
        final int buckets = 1000;
        final int count = 10_000_000;
        final int[] keys = new int[shards];
        final int[][] keysOfBuckets = new int[shards][buckets];
        final int[][] keysOfFingerprints = new int[shards][16];
        final KeyHash keyHash = new KeyHash(7);
        final long address = UnsafeApi.allocateMemory(8);
        for (int i = 0; i < count; i++)
        {
            UnsafeApi.putLong(address, i);
            final long hash = keyHash.hash(address, 8);
            final int shard = KeyHash.shard(hash, shards);
            keys[shard]++;
            keysOfBuckets[shard][(int)KeyHash.bucket(hash, buckets)]++;
            keysOfFingerprints[shard][KeyHash.fingerprint(hash) >>> 12]++;
        }
        UnsafeApi.freeMemory(address);
        final double mean = (double)count / shards;
        assertTrue(Arrays.stream(keys).max().orElseThrow() < 1.02 * mean, Arrays.toString(keys));
        for (int shard = 0; shard < shards; shard++)
        {
            // A sum of that many squares has this mean, and hardly ever is so much more.
            final int now = shard;
            assertTrue(chiSquare(keysOfBuckets[shard], keys[shard]) < buckets + 5 * Math.sqrt(2 * buckets),
                () -> "shard=" + now);
            assertTrue(chiSquare(keysOfFingerprints[shard], keys[shard]) < 16 + 6 * Math.sqrt(2 * 16),
                () -> "shard=" + now);
        }
    }

    private static double chiSquare(final int[] counts, final int all)
    {
        final double expected = (double)all / counts.length;
        return Arrays.stream(counts).mapToDouble(count -> (count - expected) * (count - expected) / expected).sum();
    }

    @Test
    void shouldDependOnSeedBytesAndLength()
    {
        final long address = UnsafeApi.allocateMemory(4096);
        UnsafeApi.setMemory(address, 4096, (byte)0);
        final long hash = new KeyHash(1).hash(address, 4096);
        assertEquals(hash, new KeyHash(1).hash(address, 4096));
        assertNotEquals(hash, new KeyHash(2).hash(address, 4096));
        assertNotEquals(hash, new KeyHash(1).hash(address, 4095));
        UnsafeApi.putByte(address + 4095, (byte)1);
        assertNotEquals(hash, new KeyHash(1).hash(address, 4096));
        UnsafeApi.freeMemory(address);
    }
}
