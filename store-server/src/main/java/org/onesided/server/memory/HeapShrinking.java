package org.onesided.server.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Asks the shards now and then to give up the last segments of their heaps. A shard does so if enough of its heap is
 * free without. One that has got memory is left alone for a while, so memory does not go back and forth. While an index
 * wants memory and none is left, all heaps that compete with it are asked at once: a shard must not stop for want of
 * memory that a heap holds free. For the growth thread.
 */
final class HeapShrinking
{
    /** Looking for a place for records takes time, so a heap that could not do without is asked ever more rarely. */
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long STARVED_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_STARVED_PAUSE_NS = TimeUnit.SECONDS.toNanos(5);

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
                part.askForLast(false);
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
    /** When to ask for a starved index again, and how long to pause then. */
    private long starvedNextNs = System.nanoTime();
    private long starvedPauseNs = STARVED_PAUSE_NS;
    private boolean isStarved;
    private long givenBackBefore;

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

    /**
     * Asks the heaps that can help a starved index. The pauses get longer until a heap gives something back, because an
     * index starves often in a store that stays full.
     */
    void onStarved(final Predicate<GrowingPart> canHelp, final long nowNs)
    {
        isStarved = heaps.stream().anyMatch((heap) -> canHelp.test(heap.part));
        if (!isStarved)
        {
            return;
        }
        final long givenBack = heaps.stream().mapToLong((heap) -> heap.part.givenBack()).sum();
        if (givenBack != givenBackBefore || nowNs - starvedNextNs > LONGEST_STARVED_PAUSE_NS)
        {
            starvedPauseNs = STARVED_PAUSE_NS;
            starvedNextNs = nowNs;
        }
        givenBackBefore = givenBack;
        if (nowNs - starvedNextNs >= 0)
        {
            starvedNextNs = nowNs + starvedPauseNs;
            starvedPauseNs = Math.min(2 * starvedPauseNs, LONGEST_STARVED_PAUSE_NS);
            heaps.stream().filter((heap) -> canHelp.test(heap.part)).forEach((heap) -> heap.part.askForLast(true));
        }
    }

    /** Nanoseconds until somebody is to be asked. */
    long pauseNs(final long nowNs)
    {
        long pauseNs = isStarved ? Math.max(1, starvedNextNs - nowNs) : Long.MAX_VALUE;
        for (final Heap heap : heaps)
        {
            pauseNs = quietNs > 0 ? Math.min(pauseNs, Math.max(1, heap.nextNs - nowNs)) : pauseNs;
        }
        return pauseNs;
    }
}
