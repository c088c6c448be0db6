package org.onesided.benchmark.parts;

import org.onesided.protocol.table.KeyHash;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The hash of a key.
 */
public class KeyHashBenchmark extends PartBenchmark
{
    @Param({"16", "64"})
    private int length;

    private final KeyHash hash = new KeyHash(7);
    private OffHeap key;

    /** */
    @Setup(Level.Trial)
    public void begin()
    {
        key = new OffHeap(length);
    }

    /** */
    @TearDown(Level.Trial)
    public void end()
    {
        key.close();
    }

    /**
     * @return the hash.
     */
    @Benchmark
    public long hash()
    {
        return hash.hash(key.address(), length);
    }
}
