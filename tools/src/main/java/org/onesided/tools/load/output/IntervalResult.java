package org.onesided.tools.load.output;

import java.util.List;

/**
 * A stretch of a phase, of about a second.
 *
 * @param startMs    its begin in milliseconds after that of the phase.
 * @param lengthMs   in milliseconds.
 * @param operations what was done in it, per kind of operation.
 */
public record IntervalResult(long startMs, long lengthMs, List<Operation> operations)
{
    /**
     * One kind of operation in a stretch.
     *
     * @param operation its name.
     * @param count     that succeeded.
     * @param failed    that did not.
     * @param p50Ns     median latency in nanoseconds, from the intended start where there is one; 0 if none succeeded.
     * @param p99Ns     latency that 99 % do not exceed, in nanoseconds.
     * @param maxNs     highest latency in nanoseconds.
     */
    public record Operation(String operation, long count, long failed, long p50Ns, long p99Ns, long maxNs)
    {
    }
}
