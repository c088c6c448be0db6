package org.onesided.server.table;

import java.util.Arrays;
import java.util.Random;
import org.onesided.benchmark.parts.PartBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The allocator of the record heap: frees a random extent and allocates another, in a heap that is as full as given.
 */
public class AllocatorBenchmark extends PartBenchmark
{
    private static final int GRANULES = 1 << 20;
    private static final int CHOICES = 1 << 16;

    /** Granules of an extent: one size, as with records of one length, or from 4 to 320 (64 B to 5 KiB). */
    @Param({"9", "4-320"})
    private String lengths;
    @Param({"50", "90"})
    private int percentFull;

    private final Random random = new Random(1);
    private final int[] lengthChoices = new int[CHOICES];
    private HeapAllocator heap;
    private long[] extents;
    private int next;

    /** */
    @Setup(Level.Trial)
    public void begin()
    {
        heap = new HeapAllocator(GRANULES, 0);
        for (int i = 0; i < CHOICES; i++)
        {
            lengthChoices[i] = lengths.equals("9") ? 9 : 4 + random.nextInt(317);
        }
        final long[] all = new long[GRANULES];
        int count = 0;
        while (heap.freeGranules() > GRANULES / 100L * (100 - percentFull))
        {
            all[count++] = heap.allocate(length());
        }
        extents = Arrays.copyOf(all, count);
    }

    private int length()
    {
        return lengthChoices[next++ & CHOICES - 1];
    }

    /**
     * Where there is no room for the new length the old one is taken again.
     *
     * @return the new extent's start.
     */
    @Benchmark
    public long freeAndAllocate()
    {
        final int index = (int)((random.nextInt() & 0xFFFF_FFFFL) * extents.length >>> 32);
        final long start = extents[index];
        final int freed = (int)heap.length(start);
        heap.free(start);
        long allocated = heap.allocate(length());
        if (allocated < 0)
        {
            allocated = heap.allocate(freed);
        }
        extents[index] = allocated;
        return allocated;
    }
}
