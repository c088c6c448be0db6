package org.onesided.eviction;

/** The server's policy: evicts, of the records drawn, the one that may expect the fewest lookups for its bytes. */
final class DensityPolicy extends ServerPolicy
{
    private static final int DRAWN = 21;
    private static final int MOST_BUCKETS = 24;
    private static final int TICKS_PER_TURNOVER = 64;
    private static final int AGE_MASK = 0xfff;
    private static final int CLASS_SHIFT = 12;

    private final Densities densities = new Densities();
    private final Buckets buckets;
    /** For each key 12 bits of the clock when it was touched, and above them its class. */
    private final short[] states;
    private KeyHistory history;
    private int clock;
    private int tick = 1;
    private int insertionsOfTick;
    private int lastEviction = Integer.MIN_VALUE / 2;
    private int evictions;
    private int nextClass;
    private int historyRecords;

    DensityPolicy(final Trace trace, final long capacity)
    {
        super(trace, capacity);
        buckets = new Buckets(trace.keyCount(), trace.recordsIn(capacity));
        states = new short[trace.keyCount()];
    }

    @Override
    public void report(final int key)
    {
        final int count = count(key);
        if (!records.contains(key))
        {
            return;
        }
        if (clock - lastEviction <= 1)
        {
            densities.hit(cell(key));
        }
        touch(key, Densities.LOOKED_UP + Densities.frequencyClass(count));
    }

    @Override
    void added(final int key)
    {
        if (++insertionsOfTick >= tick)
        {
            insertionsOfTick = 0;
            clock++;
            tick = Math.max(1, Integer.highestOneBit(records.count() / TICKS_PER_TURNOVER));
        }
        touch(key, Densities.frequencyClass(count(key)));
        buckets.add(key);
    }

    @Override
    void removed(final int key)
    {
        buckets.remove(key);
    }

    @Override
    int victim()
    {
        learn();
        int victim = Buckets.NONE;
        double least = Double.MAX_VALUE;
        int drawn = 0;
        for (int i = 0; drawn < DRAWN && (i < MOST_BUCKETS || drawn == 0); i++)
        {
            for (int key = buckets.first(random.below(buckets.count())); key >= 0; key = buckets.next(key))
            {
                drawn++;
                final int cell = cell(key);
                densities.saw(cell);
                final double value = densities.value(cell) / records.size(key);
                if (value < least)
                {
                    least = value;
                    victim = key;
                }
            }
        }
        return victim;
    }

    private void learn()
    {
        lastEviction = clock;
        final int count = records.count();
        if (history == null)
        {
            for (int i = 0; i < Densities.CLASSES; i++)
            {
                densities.learn(i, (double)count / tick, DRAWN);
            }
        }
        if (history == null || count > 2 * historyRecords || count < historyRecords / 4)
        {
            history = new KeyHistory(count);
            historyRecords = count;
        }
        if (++evictions >= historyRecords / (2 * Densities.CLASSES))
        {
            evictions = 0;
            densities.learn(nextClass, (double)count / tick, DRAWN);
            nextClass = (nextClass + 1) % Densities.CLASSES;
        }
    }

    private int count(final int key)
    {
        return history == null ? 1 : history.add(KeyHash.of(key));
    }

    private void touch(final int key, final int recordClass)
    {
        states[key] = (short)(recordClass << CLASS_SHIFT | clock & AGE_MASK);
    }

    private int cell(final int key)
    {
        return Densities.cell(states[key] >>> CLASS_SHIFT & Densities.CLASSES - 1, clock - states[key] & AGE_MASK);
    }
}
