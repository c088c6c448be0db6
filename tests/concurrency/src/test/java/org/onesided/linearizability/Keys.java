package org.onesided.linearizability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.agrona.BufferUtil;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.Superblock;

/**
 * The keys of a run, of different lengths. The first {@value #SMALL} have a shard of their own, if there are several,
 * where records are short and extents few: where one was, another one is soon. Those after them have longer values.
 * Among both come first, to be used most, pairs that only their records tell apart; then, among the latter, so many of
 * one bucket that it has overflow buckets, a pair among them; then others, of other buckets.
 */
final class Keys
{
    /** Keys with short values. */
    static final int SMALL = 24;

    private static final int CANDIDATES = 150_000;
    private static final int MAX_PAIRS = 6;
    /** The index comes so far only at the end of a run: until then keys that share a bucket go on doing so. */
    private static final int LEVEL = 4;
    /** The first of the keys that share a bucket, and how many they are: so there are four buckets in their chain. */
    static final int FIRST_OF_CROWD = SMALL + 2 * MAX_PAIRS;
    static final int CROWD = 24;
    private static final int[] LENGTHS = {8, 8, 11, 24, 40, 120};

    private Keys()
    {
    }

    /** Whether a key is one of those that share a bucket. */
    static boolean isOfCrowd(final int key)
    {
        return key >= FIRST_OF_CROWD && key < FIRST_OF_CROWD + CROWD;
    }

    static List<byte[]> choose(final Superblock table, final int count, final long seed)
    {
        final Random random = new Random(seed);
        final int shards = table.shards().size();
        final Candidates small = new Candidates();
        final Candidates others = shards == 1 ? small : new Candidates();
        final KeyHash keyHash = new KeyHash(table.hashSeed());
        final ByteBuffer space = BufferUtil.allocateDirectAligned(256, Long.BYTES);
        for (int i = 0; i < CANDIDATES; i++)
        {
            final byte[] key = new byte[LENGTHS[random.nextInt(LENGTHS.length)]];
            random.nextBytes(key);
            space.put(0, key);
            final long hash = keyHash.hash(BufferUtil.address(space), key.length);
            final int shard = KeyHash.shard(hash, shards);
            final long bucket = KeyHash.bucket(hash, bucketCount(table.shards().get(shard))) << 8 | shard;
            (shard == shards - 1 ? small : others).add(key, bucket, KeyHash.fingerprint(hash));
        }
        final Set<ByteBuffer> keys = new LinkedHashSet<>();
        take(SMALL / 2, small.pairs, keys);
        take(SMALL, small.buckets.keySet(), keys);
        take(FIRST_OF_CROWD, others.pairs, keys);
        final List<ByteBuffer> twins = others.pairs.subList(others.pairs.size() - 2, others.pairs.size());
        final Long crowded = others.buckets.get(twins.get(0));
        take(FIRST_OF_CROWD + 2, twins, keys);
        take(FIRST_OF_CROWD + CROWD, others.keysOf(crowded), keys);
        others.buckets.values().removeIf(crowded::equals);
        take(count, others.buckets.keySet(), keys);
        if (keys.size() != count)
        {
            throw new IllegalStateException("keys cannot be found for such a table: wanted=" + count + " found=" +
                keys.size());
        }
        return keys.stream().map(ByteBuffer::array).toList();
    }

    /** Buckets of a level at which the index has far more than enough for the keys. */
    private static long bucketCount(final ShardLayout layout)
    {
        return (long)layout.firstBuckets() << Math.min(LEVEL, layout.levels() - 1);
    }

    /** Adds keys that are not there yet until there are so many. */
    private static void take(final int until, final Collection<ByteBuffer> from, final Set<ByteBuffer> keys)
    {
        from.stream().takeWhile(key -> keys.size() < until).forEach(keys::add);
    }

    /** Keys of some shards. */
    private static final class Candidates
    {
        private final Map<Long, ByteBuffer> bySlot = new HashMap<>();
        /** Each behind the one that has the same bucket and fingerprint. */
        private final List<ByteBuffer> pairs = new ArrayList<>();
        /** Buckets of the others. */
        private final Map<ByteBuffer, Long> buckets = new LinkedHashMap<>();

        void add(final byte[] bytes, final long bucket, final int fingerprint)
        {
            final ByteBuffer key = ByteBuffer.wrap(bytes);
            final ByteBuffer twin = bySlot.putIfAbsent(bucket << 16 | fingerprint, key);
            if (twin == null)
            {
                buckets.put(key, bucket);
            }
            else
            {
                pairs.add(twin);
                pairs.add(key);
            }
        }

        List<ByteBuffer> keysOf(final long bucket)
        {
            return buckets.keySet().stream().filter(key -> buckets.get(key) == bucket).toList();
        }
    }

    static void write(final List<byte[]> keys, final Path file) throws IOException
    {
        final ByteBuffer all = ByteBuffer.allocate(keys.stream().mapToInt(k -> k.length + Integer.BYTES).sum());
        keys.forEach(key -> all.putInt(key.length).put(key));
        Files.write(file, all.array());
    }

    static List<byte[]> read(final Path file) throws IOException
    {
        final ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
        final List<byte[]> keys = new ArrayList<>();
        while (all.hasRemaining())
        {
            final byte[] key = new byte[all.getInt()];
            all.get(key);
            keys.add(key);
        }
        return keys;
    }
}
