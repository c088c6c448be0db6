package org.onesided.protocol.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 64})
    void shouldUseAllShardsAlike(final int shards)
    {
        final int[] hashes = new int[shards];
        for (long i = 0; i < 256; i++)
        {
            hashes[KeyHash.shard(i << 40, shards)]++;
        }
        for (final int here : hashes)
        {
            assertTrue(here == 256 / shards || here == 256 / shards + 1, () -> "hashes of a shard: " + here);
        }
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
