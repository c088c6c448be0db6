package org.onesided.tools.metrics;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.onesided.waiting.Interruptible;

/**
 * Detects shard threads that hang. A shard's thread completes a round at least once a second, even without work, so one
 * whose count of rounds stands still for much longer hangs. Thread-safe.
 */
final class ShardPulses
{
    /** How long a thread may stand still on a busy machine. */
    static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);

    /** How long a thread that seems to hang is watched: the whole process may have been stopped before. */
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
     * Checks all shards; waits only if one seems to hang.
     *
     * @param rounds reads the count of each shard.
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

    /** Whether there is time for another check; false once the endpoint closes. */
    private static boolean pause()
    {
        return Interruptible.sleep(PAUSE_NS);
    }
}
