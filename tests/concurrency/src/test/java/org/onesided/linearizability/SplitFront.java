package org.onesided.linearizability;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.BufferUtil;
import org.onesided.client.read.SessionProbe;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.Superblock;

/**
 * Finds the keys whose buckets are split next, and those whose buckets were split last, as far as a session knows. The
 * buckets of a level are split one after the other, so these keys change all the time, and each key is one of them once
 * per level.
 */
final class SplitFront
{
    private final SessionProbe probe;
    private final List<ShardLayout> layouts;
    private final int[] shards;
    private final long[] hashes;
    /** The keys of each shard, in the order in which the buckets of a level are split. */
    private final int[][] orders;

    SplitFront(final SessionProbe probe, final List<byte[]> keys)
    {
        this.probe = probe;
        final Superblock table = probe.superblock();
        layouts = table.shards();
        shards = new int[keys.size()];
        hashes = new long[keys.size()];
        final KeyHash keyHash = new KeyHash(table.hashSeed());
        final ByteBuffer space = BufferUtil.allocateDirectAligned(256, Long.BYTES);
        for (int i = 0; i < hashes.length; i++)
        {
            space.put(0, keys.get(i));
            hashes[i] = keyHash.hash(BufferUtil.address(space), keys.get(i).length);
            shards[i] = KeyHash.shard(hashes[i], layouts.size());
        }
        orders = new int[layouts.size()][];
        for (int shard = 0; shard < orders.length; shard++)
        {
            final int of = shard;
            // Buckets of the last level: who comes first there does so at each level.
            final long count = (long)layouts.get(of).firstBuckets() << layouts.get(of).levels() - 1;
            orders[of] = IntStream.range(0, hashes.length).filter(key -> shards[key] == of).boxed()
                .sorted(Comparator.comparingLong(key -> KeyHash.bucket(hashes[key], count)))
                .mapToInt(Integer::intValue).toArray();
        }
    }

    /** A key whose bucket is split soon: the next if the distance is 0. It is of the same shard as another key. */
    int ahead(final int ofShard, final int distance)
    {
        final int shard = shards[ofShard];
        return orders[shard][Math.floorMod(next(shard) + distance, orders[shard].length)];
    }

    /** A key whose bucket was split lately: the last if the distance is 0. It is of the same shard as another key. */
    int behind(final int ofShard, final int distance)
    {
        final int shard = shards[ofShard];
        return orders[shard][Math.floorMod(next(shard) - 1 - distance, orders[shard].length)];
    }

    /** How many of a shard's keys come before the bucket that is split next. */
    private int next(final int shard)
    {
        final ShardLayout layout = layouts.get(shard);
        final long first = probe.firstInUse(shard);
        final int level = layout.level(first);
        final long split = first - layout.firstIndex(level);
        final long count = (long)layout.firstBuckets() << level;
        int low = 0;
        int high = orders[shard].length;
        while (low < high)
        {
            final int middle = low + high >>> 1;
            if (KeyHash.bucket(hashes[orders[shard][middle]], count) < split)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }
}
