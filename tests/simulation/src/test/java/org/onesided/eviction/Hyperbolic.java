package org.onesided.eviction;

/** Evicts, of a few records at random, the one with the fewest lookups for its age. */
final class Hyperbolic extends ServerPolicy
{
    private final int samples;
    private final int weight;
    private final int[] counts;
    private final int[] born;

    Hyperbolic(final Trace trace, final long capacity, final int samples, final int weight)
    {
        super(trace, capacity);
        this.samples = samples;
        this.weight = weight;
        counts = new int[trace.keyCount()];
        born = new int[trace.keyCount()];
    }

    @Override
    public void report(final int key)
    {
        counts[key] += weight;
    }

    @Override
    void added(final int key)
    {
        counts[key] = 1;
        born[key] = now;
    }

    @Override
    int victim()
    {
        int victim = -1;
        double least = Double.MAX_VALUE;
        for (int i = 0; i < samples; i++)
        {
            final int key = records.draw(random);
            final double value = (double)counts[key] / (now - born[key] + 1) / records.size(key);
            if (value < least)
            {
                least = value;
                victim = key;
            }
        }
        return victim;
    }
}
