package org.onesided.eviction;

/**
 * W-TinyLFU as the server could have it: new records pass a queue, and then stay if their keys came more often than
 * the rarest of a few records drawn from the others.
 */
final class SampledTinyLfu extends ServerPolicy
{
    private static final int DRAWN = 14;

    private final int windowPercent;
    private final boolean[] isNew;
    private final IntQueue window = new IntQueue();
    private final KeyHistory history;
    private long windowBytes;

    SampledTinyLfu(final Trace trace, final long capacity, final int windowPercent)
    {
        super(trace, capacity);
        this.windowPercent = windowPercent;
        isNew = new boolean[trace.keyCount()];
        history = new KeyHistory(trace.recordsIn(capacity));
    }

    @Override
    public void report(final int key)
    {
        history.add(KeyHash.of(key));
    }

    @Override
    void added(final int key)
    {
        history.add(KeyHash.of(key));
        isNew[key] = true;
        windowBytes += records.size(key);
        window.add(key);
    }

    @Override
    int victim()
    {
        if (windowBytes * 100 <= capacity * windowPercent)
        {
            return rarest();
        }
        int oldest;
        do
        {
            oldest = window.remove();
            windowBytes -= records.size(oldest);
            isNew[oldest] = false;
        }
        while (windowBytes * 100 > capacity * windowPercent);
        final int rarest = rarest();
        return count(oldest) <= count(rarest) ? oldest : rarest;
    }

    private int rarest()
    {
        int rarest = -1;
        for (int i = 0; i < DRAWN || rarest < 0; i++)
        {
            final int key = records.draw(random);
            if (!isNew[key] && (rarest < 0 || count(key) < count(rarest)))
            {
                rarest = key;
            }
        }
        return rarest;
    }

    private int count(final int key)
    {
        return history.count(KeyHash.of(key));
    }
}
