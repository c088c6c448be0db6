package org.onesided.client.types;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How a thread waits for completions: it spins for a while, then sleeps on the completion channel. Where spinning for a
 * bounded time does not pay, or others want the core, it sleeps at once.
 *
 * @param spinNs for how long it spins, in nanoseconds, from 0; {@link Long#MAX_VALUE} to never sleep.
 */
public record Waiting(long spinNs)
{
    /** Spins for 20 microseconds, longer than a short request takes on a fast network. */
    public static final Waiting DEFAULT = new Waiting(20_000);

    /**
     * Never sleeps, even if other threads want the core: the least latency, at the cost of a core per waiting thread.
     */
    public static final Waiting SPINNING = new Waiting(Long.MAX_VALUE);

    /** Sleeps at once: the least CPU time. */
    public static final Waiting SLEEPING = new Waiting(0);

    /**
     * @param spinNs for how long it spins, in nanoseconds, from 0; {@link Long#MAX_VALUE} to never sleep.
     */
    public Waiting
    {
        if (spinNs < 0)
        {
            throw new IllegalArgumentException("the time to spin must not be negative: spinNs=" + spinNs);
        }
    }

    /**
     * @param duration for how long to spin before sleeping; not negative.
     * @return that way of waiting.
     */
    public static Waiting spinningFor(final Duration duration)
    {
        return new Waiting(TimeUnit.NANOSECONDS.convert(duration));
    }
}
