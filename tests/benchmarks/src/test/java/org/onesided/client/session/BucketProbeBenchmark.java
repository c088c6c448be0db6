package org.onesided.client.session;

import org.agrona.UnsafeApi;
import org.onesided.benchmark.parts.OffHeap;
import org.onesided.benchmark.parts.PartBenchmark;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.verbs.NativeArray;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A probe of a bucket in the mirror, as a lookup begins: find the line, then compare slots until one fits.
 */
public class BucketProbeBenchmark extends PartBenchmark
{
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    @Param({"1024", "262144"})
    private int buckets;

    private NativeArray memory;
    private Mirror mirror;
    private long next;

    /** */
    @Setup(Level.Trial)
    public void begin()
    {
        memory = new NativeArray(Mirror.length((long)buckets * BucketDescriptor.LENGTH, buckets));
        mirror = new Mirror(memory.range());
        try (OffHeap bucket = new OffHeap(BucketDescriptor.LENGTH))
        {
            UnsafeApi.putLong(bucket.address(), BucketDescriptor.header(BucketDescriptor.LIVE, 1, 0, -1));
            for (int i = 0; i < buckets; i++)
            {
                for (int slot = 0; slot < BucketDescriptor.SLOT_COUNT; slot++)
                {
                    UnsafeApi.putLong(
                        bucket.address() + BucketDescriptor.slotOffset(slot),
                        slot < 4 ? SlotWord.of(slot + 1, 128, 4096L + 128L * i) : SlotWord.EMPTY);
                }
                mirror.refresh(i, bucket.address());
            }
        }
    }

    /** */
    @TearDown(Level.Trial)
    public void end()
    {
        memory.close();
    }

    /**
     * A key that is in the third of four slots taken, of a random bucket.
     *
     * @return its slot word.
     */
    @Benchmark
    public long probe()
    {
        next += STEP;
        final long line = mirror.lineOf((next >>> 33) * buckets >>> 31);
        if (line == Mirror.NONE)
        {
            throw new IllegalStateException("bucket is not in the mirror: buckets=" + buckets);
        }
        final long word = Mirror.find(line, 3);
        if (word != SlotWord.EMPTY)
        {
            return word;
        }
        throw new IllegalStateException("slot is not in the mirror: line=" + line);
    }
}
