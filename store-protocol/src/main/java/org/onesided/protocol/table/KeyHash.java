package org.onesided.protocol.table;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;

/**
 * Hashes keys with a table's seed, and says what each part of the 64 bits is for. XXH3 of 64 bits.
 *
 * <pre>
 *   63              48 47                                                0
 *  +------------------+---------------------------------------------------+
 *  | fingerprint      | bucket                                            |
 *  +------------------+---------------------------------------------------+
 * </pre>
 *
 * <p>The shard comes of all bits together, multiplied by an odd number: that permutes the 64-bit numbers, so shards get
 * equal shares of them, however many there are. Fingerprints and buckets of a shard's keys are as even as those of all
 * keys. Thread-safe.
 */
public final class KeyHash
{
    private static final int BUCKET_BITS = 48;
    /** Odd, and near the golden ratio's part of 2^64 (Knuth, The Art of Computer Programming, volume 3, 6.4). */
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final Hasher64 hasher;

    /**
     * @param seed of the table.
     */
    public KeyHash(final long seed)
    {
        hasher = Hashing.xxh3_64(seed);
    }

    /**
     * @param address of the key.
     * @param length  in bytes.
     * @return 64 bits.
     */
    public long hash(final long address, final int length)
    {
        return hasher.hashBytesToLong(null, address, length, RawBytes.INSTANCE);
    }

    /**
     * @param hash of a key.
     * @return what its slot holds of it, 16 bits.
     */
    public static int fingerprint(final long hash)
    {
        return (int)(hash >>> 48);
    }

    /**
     * @param hash   of a key.
     * @param shards of the table, at most {@link SuperblockDescriptor#MAX_SHARDS}.
     * @return the shard that holds it, from 0.
     */
    public static int shard(final long hash, final int shards)
    {
        return (int)Math.multiplyHigh(hash * MULTIPLIER >>> 1, (long)shards << 1);
    }

    /**
     * Multiply-high, so that doubling the count splits bucket b into 2b and 2b + 1 (Lemire, "Fast random integer
     * generation in an interval", 2019).
     *
     * @param hash        of a key.
     * @param bucketCount of its shard.
     * @return the bucket that its chain begins with, from 0.
     */
    public static long bucket(final long hash, final long bucketCount)
    {
        final long fraction = hash << (Long.SIZE - BUCKET_BITS) >>> 1;
        return Math.multiplyHigh(fraction, bucketCount << 1);
    }
}
