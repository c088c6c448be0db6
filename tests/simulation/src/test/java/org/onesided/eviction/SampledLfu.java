package org.onesided.eviction;

/** Redis' LFU with what the server sees: a report counts as so many lookups, time is counted in puts. */
final class SampledLfu extends ServerPolicy
{
    private final int samples;
    private final int weight;
    private final int[] counters;
    private final int[] decayed;

    SampledLfu(final Trace trace, final long capacity, final int samples, final int weight)
    {
        super(trace, capacity);
        this.samples = samples;
        this.weight = weight;
        counters = new int[trace.keyCount()];
        decayed = new int[trace.keyCount()];
    }

    @Override
    public void report(final int key)
    {
        int counter = counter(key);
        for (int i = 0; i < weight; i++)
        {
            if (counter < 255 && random.unit() * (Math.max(0, counter - 5) * 10 + 1) < 1)
            {
                counter++;
            }
        }
        counters[key] = counter;
        decayed[key] = minutes();
    }

    @Override
    void added(final int key)
    {
        counters[key] = 5;
        decayed[key] = minutes();
    }

    @Override
    int victim()
    {
        int victim = -1;
        for (int i = 0; i < samples; i++)
        {
            final int key = records.draw(random);
            if (victim < 0 || counter(key) < counter(victim))
            {
                victim = key;
            }
        }
        return victim;
    }

    private int minutes()
    {
        return now / (1 + records.count());
    }

    private int counter(final int key)
    {
        return Math.max(0, counters[key] - Math.max(0, minutes() - decayed[key]));
    }
}
