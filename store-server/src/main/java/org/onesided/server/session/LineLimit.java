package org.onesided.server.session;

import java.util.concurrent.TimeUnit;

/**
 * Lets so many lines a second into the log, since strangers who connect over and over must not fill a disk. Not
 * thread-safe.
 */
final class LineLimit
{
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private final int linesPerSecond;
    private long periodNs;
    private int count;
    private long missed;

    LineLimit(final int linesPerSecond)
    {
        this.linesPerSecond = linesPerSecond;
    }

    /**
     * Asks for a line.
     *
     * @param nowNs a time of the same clock each time.
     * @return whether it may be written.
     */
    boolean take(final long nowNs)
    {
        if (count == 0 || nowNs - periodNs >= PERIOD_NS)
        {
            periodNs = nowNs;
            count = 0;
        }
        if (count >= linesPerSecond)
        {
            missed++;
            return false;
        }
        count++;
        return true;
    }

    /** How many lines were not written since this was asked last. */
    long takeMissed()
    {
        final long taken = missed;
        missed = 0;
        return taken;
    }
}
