package org.onesided.client.jcache;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.cache.management.CacheStatisticsMXBean;

/**
 * What this client did with a cache. Counts nothing while it is off. Thread-safe.
 */
final class CacheStatistics implements CacheStatisticsMXBean
{
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder removals = new LongAdder();
    private final LongAdder getNs = new LongAdder();
    private final LongAdder putNs = new LongAdder();
    private final LongAdder removeNs = new LongAdder();
    private volatile boolean isOn;

    void switchTo(final boolean on)
    {
        isOn = on;
    }

    boolean isOn()
    {
        return isOn;
    }

    /** When an operation begins; 0 while nothing is counted. */
    long begin()
    {
        return isOn ? System.nanoTime() : 0;
    }

    /** Counts a lookup. */
    void countGet(final boolean isHit, final long beganNs)
    {
        countGets(isHit ? 1 : 0, isHit ? 0 : 1, beganNs);
    }

    /** Counts lookups that were done together. */
    void countGets(final int found, final int absent, final long beganNs)
    {
        if (isOn)
        {
            hits.add(found);
            misses.add(absent);
            addTime(getNs, beganNs);
        }
    }

    /** Counts puts that were done together. */
    void countPuts(final int count, final long beganNs)
    {
        if (isOn && count > 0)
        {
            puts.add(count);
            addTime(putNs, beganNs);
        }
    }

    /** Counts removals that were done together. */
    void countRemovals(final int count, final long beganNs)
    {
        if (isOn && count > 0)
        {
            removals.add(count);
            addTime(removeNs, beganNs);
        }
    }

    private static void addTime(final LongAdder sum, final long beganNs)
    {
        // Zero: it was off when the operation began.
        if (beganNs != 0)
        {
            sum.add(System.nanoTime() - beganNs);
        }
    }

    @Override
    public void clear()
    {
        hits.reset();
        misses.reset();
        puts.reset();
        removals.reset();
        getNs.reset();
        putNs.reset();
        removeNs.reset();
    }

    @Override
    public long getCacheHits()
    {
        return hits.sum();
    }

    @Override
    public float getCacheHitPercentage()
    {
        return percentage(getCacheHits());
    }

    @Override
    public long getCacheMisses()
    {
        return misses.sum();
    }

    @Override
    public float getCacheMissPercentage()
    {
        return percentage(getCacheMisses());
    }

    private float percentage(final long part)
    {
        final long gets = getCacheGets();
        return gets == 0 ? 0 : 100f * part / gets;
    }

    @Override
    public long getCacheGets()
    {
        return getCacheHits() + getCacheMisses();
    }

    @Override
    public long getCachePuts()
    {
        return puts.sum();
    }

    @Override
    public long getCacheRemovals()
    {
        return removals.sum();
    }

    /** Always 0: the server counts what it evicts, for all its keys together. */
    @Override
    public long getCacheEvictions()
    {
        return 0;
    }

    @Override
    public float getAverageGetTime()
    {
        return averageMicros(getNs, getCacheGets());
    }

    @Override
    public float getAveragePutTime()
    {
        return averageMicros(putNs, getCachePuts());
    }

    @Override
    public float getAverageRemoveTime()
    {
        return averageMicros(removeNs, getCacheRemovals());
    }

    private static float averageMicros(final LongAdder sumNs, final long count)
    {
        return count == 0 ? 0 : (float)sumNs.sum() / TimeUnit.MICROSECONDS.toNanos(1) / count;
    }
}
