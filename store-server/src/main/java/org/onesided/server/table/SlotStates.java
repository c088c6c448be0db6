package org.onesided.server.table;

import java.util.Arrays;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;

/**
 * 16 bits for each slot of a shard's buckets, in private memory: what an {@link Evictor} knows of the record there.
 * They move with the slot's word, whoever moves that. Memory comes in chunks with the buckets that are used, 16 bytes
 * for each, and goes when they are split. Not thread-safe.
 */
final class SlotStates
{
    private static final int SLOTS_SHIFT = 3;
    private static final int CHUNK_SHIFT = 15;
    private static final int CHUNK = 1 << CHUNK_SHIFT;
    private static final int MASK = CHUNK - 1;

    private final long bucketStart;
    private final long overflowStart;
    private short[][] buckets = new short[1][];
    private short[][] overflow = new short[1][];
    private int firstChunk;

    SlotStates(final ShardLayout layout)
    {
        bucketStart = layout.bucketOffset(0);
        overflowStart = layout.overflow();
    }

    /** The state of a slot of the bucket at a table offset; 0 if none was set. */
    short get(final long bucket, final int slot)
    {
        final long index = index(bucket, slot);
        final int chunk = (int)(index >>> CHUNK_SHIFT);
        final short[][] chunks = chunks(bucket);
        return chunk >= chunks.length || chunks[chunk] == null ? 0 : chunks[chunk][(int)index & MASK];
    }

    /** Sets the state of a slot. */
    void set(final long bucket, final int slot, final short state)
    {
        final long index = index(bucket, slot);
        final int chunk = (int)(index >>> CHUNK_SHIFT);
        short[][] chunks = chunks(bucket);
        if (chunk >= chunks.length)
        {
            chunks = Arrays.copyOf(chunks, Math.max(chunk + 1, 2 * chunks.length));
            if (bucket >= overflowStart)
            {
                overflow = chunks;
            }
            else
            {
                buckets = chunks;
            }
        }
        if (chunks[chunk] == null)
        {
            chunks[chunk] = new short[CHUNK];
        }
        chunks[chunk][(int)index & MASK] = state;
    }

    /** The buckets before that at a table offset are split: their states are needed no more. */
    void forgetBefore(final long bucket)
    {
        final int end = (int)Math.min(buckets.length, index(bucket, 0) >>> CHUNK_SHIFT);
        while (firstChunk < end)
        {
            buckets[firstChunk++] = null;
        }
    }

    private short[][] chunks(final long bucket)
    {
        return bucket >= overflowStart ? overflow : buckets;
    }

    private long index(final long bucket, final int slot)
    {
        final long start = bucket >= overflowStart ? overflowStart : bucketStart;
        return ((bucket - start) / BucketDescriptor.LENGTH << SLOTS_SHIFT) + slot;
    }
}
