package org.onesided.tools.load.output;

import java.time.Instant;
import java.util.List;

/**
 * What came of a phase, its warm-up left out.
 *
 * @param name          {@code load} or {@code run}.
 * @param start         when measuring began.
 * @param elapsedNs     from then until the last operation ended, or the phase's time if that is later, in nanoseconds.
 * @param ending        why it ended.
 * @param done          operations that succeeded; a read-modify-write counts once.
 * @param failed        operations that did not.
 * @param behind        operations whose intended start had passed, but for which there was no time any more; 0 without
 *                      a target.
 * @param operations    per kind of operation, those that occurred.
 * @param intervals     the phase second by second.
 * @param failures      failed operations by kind of failure.
 * @param verification  what came of verifying.
 * @param client        what the client's side did.
 * @param serverCpuNs   processor time of the server in nanoseconds, -1 if it is not known.
 * @param clientCpuNs   processor time of all client processes in nanoseconds, -1 if it is not known.
 * @param notes         what else a reader of the result must know, such as a client process that died.
 */
public record PhaseResult(
    String name,
    Instant start,
    long elapsedNs,
    Ending ending,
    long done,
    long failed,
    long behind,
    List<OperationResult> operations,
    List<IntervalResult> intervals,
    List<FailureCount> failures,
    Verification verification,
    ClientTotals client,
    long serverCpuNs,
    long clientCpuNs,
    List<String> notes)
{
    /** Why a phase ended. */
    public enum Ending
    {
        /** All operations were done, or the time was up. */
        DONE,
        /** It was told to stop before. */
        INTERRUPTED,
        /** It could not go on. */
        FAILED,
    }

    /**
     * @return operations per second that succeeded; 0 if there was no time.
     */
    public double throughput()
    {
        return elapsedNs == 0 ? 0 : done * 1e9 / elapsedNs;
    }

    /**
     * @return reads of the client by READ per lookup, 0 if there was none; 1 is the least.
     */
    public double readsPerGet()
    {
        return client.gets() == 0 ? 0 : (double)client.reads() / client.gets();
    }
}
