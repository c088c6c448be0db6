package org.onesided.testing;

import java.util.concurrent.TimeUnit;

/**
 * How long tests wait for what must come, on a machine of usual speed; {@value #PATIENCE_PROPERTY} says how many times
 * as long they wait on a slow one.
 */
public final class HangGuard
{
    static final String PATIENCE_PROPERTY = "onesided.test.patience";

    private static final int PATIENCE = Integer.getInteger(PATIENCE_PROPERTY, 1);

    private HangGuard()
    {
    }

    /**
     * @param usual seconds on a machine of usual speed.
     * @return seconds to wait here.
     */
    public static long seconds(final long usual)
    {
        return usual * PATIENCE;
    }

    /**
     * @param usualSeconds seconds on a machine of usual speed.
     * @return nanoseconds to wait here.
     */
    public static long nanos(final long usualSeconds)
    {
        return TimeUnit.SECONDS.toNanos(seconds(usualSeconds));
    }
}
