package org.onesided.tools.load.output;

import java.util.List;

/**
 * An interval of a phase, of about a second.
 *
 * @param startMs    begin in milliseconds since the begin of the phase.
 * @param lengthMs   in milliseconds.
 * @param conflicts  puts of read-modify-writes by version that did not take effect.
 * @param operations operations in the interval, per kind.
 */
public record IntervalResult(long startMs, long lengthMs, long conflicts, List<Operation> operations)
{
    /**
     * One kind of operation in an interval.
     *
     * @param operation its name.
     * @param count     that succeeded.
     * @param failed    that did not.
     * @param p50Ns     median latency in nanoseconds, from the intended start if there is one; 0 if none succeeded.
     * @param p99Ns     latency that 99 % do not exceed, in nanoseconds.
     * @param maxNs     highest latency in nanoseconds.
     */
    public record Operation(String operation, long count, long failed, long p50Ns, long p99Ns, long maxNs)
    {
    }
}
