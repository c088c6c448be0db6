package org.onesided.eviction;

/** Evicts, of a few records at random, the one whose put or last report is the longest ago. */
final class SampledLru extends ServerPolicy
{
    private final int samples;
    private final int[] touched;

    SampledLru(final Trace trace, final long capacity, final int samples)
    {
        super(trace, capacity);
        this.samples = samples;
        touched = new int[trace.keyCount()];
    }

    @Override
    public void report(final int key)
    {
        touched[key] = now;
    }

    @Override
    void added(final int key)
    {
        touched[key] = now;
    }

    @Override
    int victim()
    {
        int victim = -1;
        for (int i = 0; i < samples; i++)
        {
            final int key = records.draw(random);
            if (victim < 0 || touched[key] < touched[victim])
            {
                victim = key;
            }
        }
        return victim;
    }
}
