package org.onesided.tools.metrics;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Tells whether a shard's thread hangs: it goes round at least once a second, even while it has nothing to do, so one
 * whose rounds have stood still between two looks for much longer is in trouble. Thread-safe.
 */
final class ShardPulses
{
    /** So long one may stand still on a machine that is busy with other things. */
    static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);

    /** So long one is looked at again that seems to hang: this whole process may have been stopped until now. */
    static final long LAST_LOOK_NS = TimeUnit.SECONDS.toNanos(3);

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int NONE = -1;

    private final NanoClock clock;
    private long[] seen = {};
    private long[] seenNs = {};

    ShardPulses()
    {
        this(SystemNanoClock.INSTANCE);
    }

    ShardPulses(final NanoClock clock)
    {
        this.clock = clock;
    }

    /**
     * Looks at all shards; waits only if one seems to hang.
     *
     * @param rounds tells those of each shard now.
     * @return the first shard that hangs, or a negative number.
     */
    synchronized int lost(final Supplier<long[]> rounds)
    {
        int suspect = look(rounds.get());
        final long endNs = clock.nanoTime() + LAST_LOOK_NS;
        while (suspect != NONE && clock.nanoTime() - endNs < 0)
        {
            if (!pause())
            {
                return NONE;
            }
            suspect = look(rounds.get());
        }
        return suspect;
    }

    private int look(final long[] rounds)
    {
        final long nowNs = clock.nanoTime();
        if (seen.length != rounds.length)
        {
            seen = rounds.clone();
            seenNs = new long[rounds.length];
            Arrays.fill(seenNs, nowNs);
        }
        int suspect = NONE;
        for (int i = rounds.length - 1; i >= 0; i--)
        {
            if (rounds[i] != seen[i])
            {
                seen[i] = rounds[i];
                seenNs[i] = nowNs;
            }
            else if (nowNs - seenNs[i] > LONGEST_NS)
            {
                suspect = i;
            }
        }
        return suspect;
    }

    /** Whether there is time for another look: not where this endpoint closes. */
    private static boolean pause()
    {
        try
        {
            TimeUnit.NANOSECONDS.sleep(PAUSE_NS);
            return true;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
