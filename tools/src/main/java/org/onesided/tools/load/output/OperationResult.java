package org.onesided.tools.load.output;

import org.HdrHistogram.Histogram;

/**
 * Latencies of one kind of operation, in nanoseconds.
 *
 * @param operation its name, as YCSB has it: {@code READ}, {@code UPDATE}, {@code INSERT}, {@code READ-MODIFY-WRITE}.
 * @param service   of those that succeeded, from when each was begun.
 * @param intended  of the same, from when each should have begun; null without a target.
 * @param failed    of those that failed, from when each was begun.
 */
public record OperationResult(String operation, Histogram service, Histogram intended, Histogram failed)
{
    /**
     * @return latencies as somebody sees them who wants an operation done at its time: from the intended start where
     *         there is one.
     */
    public Histogram latency()
    {
        return intended == null ? service : intended;
    }
}
