package org.onesided.eviction;

/**
 * Redis' allkeys-lfu: a logarithmic counter of 8 bits that begins at 5 and loses one a minute. A minute is given in
 * lookups.
 */
final class RedisLfu extends RedisPolicy
{
    private static final int FIRST = 5;
    private static final int LOG_FACTOR = 10;

    private final int minute;
    private final int[] counters;
    private final int[] decayed;

    RedisLfu(final Trace trace, final long capacity, final int minute)
    {
        super(trace, capacity);
        this.minute = minute;
        counters = new int[trace.keyCount()];
        decayed = new int[trace.keyCount()];
    }

    @Override
    void touched(final int key)
    {
        final int counter = counter(key);
        final double base = Math.max(0, counter - FIRST);
        counters[key] = counter < 255 && random.unit() < 1 / (base * LOG_FACTOR + 1) ? counter + 1 : counter;
        decayed[key] = lookups / minute;
    }

    @Override
    void added(final int key)
    {
        counters[key] = FIRST;
        decayed[key] = lookups / minute;
    }

    @Override
    long idle(final int key)
    {
        return 255 - counter(key);
    }

    private int counter(final int key)
    {
        return Math.max(0, counters[key] - (lookups / minute - decayed[key]));
    }
}
