package org.onesided.eviction;

/** What both models of Redis share: a pool of the 16 best victims among those drawn, 5 for each eviction. */
abstract class RedisPolicy implements Policy
{
    private static final int SAMPLES = 5;
    private static final int POOL = 16;

    final Records records;
    final Randomness random = new Randomness(7);
    final int[] sizes;
    int lookups;
    private final long capacity;
    private final int[] pool = new int[POOL];
    private final long[] idles = new long[POOL];
    private int pooled;

    RedisPolicy(final Trace trace, final long capacity)
    {
        records = new Records(trace);
        sizes = trace.sizes;
        this.capacity = capacity;
    }

    abstract void touched(int key);

    abstract void added(int key);

    abstract long idle(int key);

    @Override
    public final boolean contains(final int key)
    {
        lookups++;
        return records.contains(key);
    }

    @Override
    public final void report(final int key)
    {
        if (records.contains(key))
        {
            touched(key);
        }
    }

    @Override
    public final void put(final int key)
    {
        if (records.contains(key) || sizes[key] > capacity)
        {
            return;
        }
        while (records.bytes() + sizes[key] > capacity)
        {
            records.remove(victim());
        }
        records.add(key);
        added(key);
    }

    private int victim()
    {
        while (true)
        {
            for (int i = 0; i < SAMPLES; i++)
            {
                offer(records.draw(random));
            }
            while (pooled > 0)
            {
                final int best = pool[--pooled];
                if (records.contains(best))
                {
                    return best;
                }
            }
        }
    }

    /** Keeps the pool sorted, the longest idle one last. */
    private void offer(final int key)
    {
        final long idle = idle(key);
        for (int i = 0; i < pooled; i++)
        {
            if (pool[i] == key)
            {
                return;
            }
        }
        int place = 0;
        while (place < pooled && idles[place] < idle)
        {
            place++;
        }
        if (pooled == POOL)
        {
            if (place == 0)
            {
                return;
            }
            System.arraycopy(pool, 1, pool, 0, place - 1);
            System.arraycopy(idles, 1, idles, 0, place - 1);
            place--;
        }
        else
        {
            System.arraycopy(pool, place, pool, place + 1, pooled - place);
            System.arraycopy(idles, place, idles, place + 1, pooled - place);
            pooled++;
        }
        pool[place] = key;
        idles[place] = idle;
    }
}
