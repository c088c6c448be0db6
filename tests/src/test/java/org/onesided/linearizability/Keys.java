package org.onesided.linearizability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
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
 * The keys of a run, the ones to be used most first: pairs that only their records tell apart, so many of one bucket
 * that it has overflow buckets, and others; of different lengths.
 */
final class Keys
{
    private static final int CANDIDATES = 150_000;
    private static final int MAX_PAIRS = 6;
    /** Keys that share a bucket in each of two shards: up to four buckets in a chain. */
    static final int CROWD = 24;
    private static final int[] LENGTHS = {8, 8, 11, 24, 40, 120};

    private Keys()
    {
    }

    static List<byte[]> choose(final Superblock table, final int count, final long seed)
    {
        final Random random = new Random(seed);
        final KeyHash keyHash = new KeyHash(table.hashSeed());
        final ByteBuffer space = BufferUtil.allocateDirectAligned(256, Long.BYTES);
        final Map<Long, byte[]> bySlot = new HashMap<>();
        final Map<Long, List<byte[]>> byBucket = new HashMap<>();
        final List<byte[]> pairs = new ArrayList<>();
        final List<byte[]> others = new ArrayList<>();
        for (int i = 0; i < CANDIDATES; i++)
        {
            final byte[] key = new byte[LENGTHS[random.nextInt(LENGTHS.length)]];
            random.nextBytes(key);
            space.put(0, key);
            final long hash = keyHash.hash(BufferUtil.address(space), key.length);
            final int shard = KeyHash.shard(hash, table.shards().size());
            final ShardLayout layout = table.shards().get(shard);
            final long bucket = KeyHash.bucket(hash, layout.bucketCount()) << 8 | shard;
            final byte[] twin = bySlot.putIfAbsent(bucket << 16 | KeyHash.fingerprint(hash), key);
            if (twin != null && pairs.size() < 2 * MAX_PAIRS)
            {
                pairs.add(twin);
                pairs.add(key);
            }
            else if (twin == null && i < count)
            {
                others.add(key);
            }
            else if (twin == null)
            {
                final List<byte[]> crowd = byBucket.computeIfAbsent(bucket, b -> new ArrayList<>());
                if (crowd.size() < CROWD)
                {
                    crowd.add(key);
                }
            }
        }
        // A key may be in several of these.
        final Set<ByteBuffer> keys = new LinkedHashSet<>();
        pairs.forEach(key -> keys.add(ByteBuffer.wrap(key)));
        byBucket.values().stream().filter(crowd -> crowd.size() == CROWD).limit(2)
            .forEach(crowd -> crowd.forEach(key -> keys.add(ByteBuffer.wrap(key))));
        others.forEach(key -> keys.add(ByteBuffer.wrap(key)));
        return keys.stream().limit(count).map(ByteBuffer::array).toList();
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
