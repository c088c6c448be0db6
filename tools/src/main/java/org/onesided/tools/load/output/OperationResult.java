package org.onesided.tools.load.output;

import org.HdrHistogram.Histogram;

/**
 * Latencies of one kind of operation, in nanoseconds.
 *
 * @param operation its name in YCSB: {@code READ}, {@code UPDATE}, {@code INSERT}, {@code READ-MODIFY-WRITE}.
 * @param service   of those that succeeded, from the actual start.
 * @param intended  of the same, from the intended start; null without a target.
 * @param failed    of those that failed, from the actual start.
 */
public record OperationResult(String operation, Histogram service, Histogram intended, Histogram failed)
{
    /**
     * @return latencies from the intended start if there is one, as a caller with a schedule sees them.
     */
    public Histogram latency()
    {
        return intended == null ? service : intended;
    }
}
