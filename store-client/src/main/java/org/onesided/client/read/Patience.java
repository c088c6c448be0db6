package org.onesided.client.read;

import java.util.function.IntConsumer;
import org.agrona.concurrent.NanoClock;
import org.onesided.waiting.Pause;

/**
 * How long a lookup repeats READs, and its pauses in between. Not thread-safe.
 */
final class Patience
{
    private final NanoClock clock;
    private final long lengthNs;
    private final IntConsumer pause;
    private long endNs;

    /**
     * @param clock    that measures it.
     * @param lengthNs from {@link #begin} on.
     * @param pause    takes how many attempts were made, see {@link Pause#after}.
     */
    Patience(final NanoClock clock, final long lengthNs, final IntConsumer pause)
    {
        this.clock = clock;
        this.lengthNs = lengthNs;
        this.pause = pause;
    }

    void begin()
    {
        endNs = clock.nanoTime() + lengthNs;
    }

    boolean isOver()
    {
        return clock.nanoTime() - endNs >= 0;
    }

    void pause(final int attempts)
    {
        pause.accept(attempts);
    }
}
