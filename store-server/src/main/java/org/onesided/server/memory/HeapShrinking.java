package org.onesided.server.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Asks the shards now and then to give up the last segments of their heaps. A shard does so if enough of its heap is
 * free without. One that has got memory is left alone for a while, so memory does not go back and forth. For the growth
 * thread.
 */
final class HeapShrinking
{
    /** Looking for a place for records takes time, so a heap that could not do without is asked ever more rarely. */
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(60);

    private final class Heap
    {
        private final GrowingPart part;
        private long nextNs = System.nanoTime() + quietNs;
        private long pauseNs = quietNs;
        private long givenBack;

        Heap(final GrowingPart part)
        {
            this.part = part;
        }

        void ask(final long nowNs)
        {
            // Whoever has given a segment back may have more.
            final boolean hasGivenBack = part.givenBack() != givenBack;
            if (nowNs - nextNs >= 0 || hasGivenBack)
            {
                givenBack = part.givenBack();
                pauseNs = hasGivenBack ? quietNs : Math.max(quietNs, Math.min(2 * pauseNs, LONGEST_PAUSE_NS));
                nextNs = nowNs + pauseNs;
                part.askForLast();
            }
        }

        void grown(final long nowNs)
        {
            pauseNs = quietNs;
            nextNs = nowNs + quietNs;
        }
    }

    private final long quietNs;
    private final List<Heap> heaps = new ArrayList<>();

    /**
     * @param quietNs for how long a heap that has got memory is left alone; 0 for ever.
     */
    HeapShrinking(final long quietNs)
    {
        this.quietNs = quietNs;
    }

    void add(final GrowingPart part)
    {
        heaps.add(new Heap(part));
    }

    /** A part has got memory. */
    void onGrown(final GrowingPart part, final long nowNs)
    {
        heaps.stream().filter((heap) -> heap.part == part).forEach((heap) -> heap.grown(nowNs));
    }

    /** Asks those that are to be asked. */
    void step(final long nowNs)
    {
        if (quietNs > 0)
        {
            heaps.forEach((heap) -> heap.ask(nowNs));
        }
    }

    /** Nanoseconds until somebody is to be asked. */
    long pauseNs(final long nowNs)
    {
        long pauseNs = Long.MAX_VALUE;
        for (final Heap heap : heaps)
        {
            pauseNs = quietNs > 0 ? Math.min(pauseNs, Math.max(1, heap.nextNs - nowNs)) : pauseNs;
        }
        return pauseNs;
    }
}
