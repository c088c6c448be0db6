package org.onesided.tools.load.output;

import java.time.Instant;
import java.util.List;

/**
 * The result of a phase, without its warm-up.
 *
 * @param name          {@code load} or {@code run}.
 * @param start         begin of the measurement.
 * @param elapsedNs     from then to the end of the last operation, or to the end of the phase's time if that is later,
 *                      in nanoseconds.
 * @param ending        reason of the end.
 * @param done          operations that succeeded; a read-modify-write counts once.
 * @param failed        operations that failed.
 * @param behind        operations that were due but not started when the time ended; 0 without a target.
 * @param conflicts     of read-modify-writes by version.
 * @param operations    per kind that occurred.
 * @param intervals     of the phase, second by second.
 * @param failures      failed operations by kind of failure.
 * @param verification  result of the verification.
 * @param client        counters of the client.
 * @param serverCpuNs   processor time of the server in nanoseconds; -1 if unknown.
 * @param clientCpuNs   processor time of all client processes in nanoseconds; -1 if unknown.
 * @param notes         other facts that a reader needs, such as a client process that died.
 */
public record PhaseResult(
    String name,
    Instant start,
    long elapsedNs,
    Ending ending,
    long done,
    long failed,
    long behind,
    Conflicts conflicts,
    List<OperationResult> operations,
    List<IntervalResult> intervals,
    List<FailureCount> failures,
    Verification verification,
    ClientTotals client,
    long serverCpuNs,
    long clientCpuNs,
    List<String> notes)
{
    /** Reasons for the end of a phase. */
    public enum Ending
    {
        /** All operations were done, or the time was up. */
        DONE,
        /** The run was told to stop. */
        INTERRUPTED,
        /** The phase could not continue. */
        FAILED,
    }

    /**
     * @return operations that ended, in whatever way.
     */
    public long ended()
    {
        return done + failed + conflicts.givenUp();
    }

    /**
     * @return successful operations per second; 0 if no time passed.
     */
    public double throughput()
    {
        return elapsedNs == 0 ? 0 : done * 1e9 / elapsedNs;
    }

    /**
     * @return READs per lookup; 0 without lookups, else at least 1.
     */
    public double readsPerGet()
    {
        return client.gets() == 0 ? 0 : (double)client.reads() / client.gets();
    }
}
