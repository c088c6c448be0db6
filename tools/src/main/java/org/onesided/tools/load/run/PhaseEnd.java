package org.onesided.tools.load.run;

import java.io.Serializable;
import java.util.List;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.Conflicts;
import org.onesided.tools.load.output.FailureCount;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.Verification;

/**
 * The totals of a phase, apart from its intervals.
 *
 * @param ending       reason of the end.
 * @param elapsedNs    from the begin of the measurement to the end of the last operation, in nanoseconds.
 * @param done         operations that succeeded.
 * @param failed       operations that did not.
 * @param behind       operations that were due but not started.
 * @param conflicts    of read-modify-writes by version.
 * @param isVerified   whether values were verified.
 * @param failures     by operation and kind.
 * @param verification result.
 * @param client       counters of the client.
 * @param cpuNs        processor time of the process in nanoseconds.
 * @param notes        other facts.
 */
record PhaseEnd(
    PhaseResult.Ending ending,
    long elapsedNs,
    long done,
    long failed,
    long behind,
    Conflicts conflicts,
    boolean isVerified,
    List<FailureCount> failures,
    Verification verification,
    ClientTotals client,
    long cpuNs,
    List<String> notes) implements Serializable
{
    /** Combines two processes that ran at the same time. */
    PhaseEnd plus(final PhaseEnd other)
    {
        return new PhaseEnd(
            ending.compareTo(other.ending) > 0 ? ending : other.ending,
            Math.max(elapsedNs, other.elapsedNs),
            done + other.done,
            failed + other.failed,
            behind + other.behind,
            conflicts.plus(other.conflicts),
            isVerified || other.isVerified,
            Counts.failures(List.of(failures, other.failures)),
            new Verification(
                verification.verified() + other.verification.verified(),
                Counts.faults(List.of(verification.faults(), other.verification.faults()))),
            client.plus(other.client),
            cpuNs + other.cpuNs,
            Counts.both(notes, other.notes));
    }

    PhaseEnd with(final PhaseResult.Ending otherEnding, final List<String> moreNotes)
    {
        return new PhaseEnd(otherEnding, elapsedNs, done, failed, behind, conflicts, isVerified, failures, verification,
            client, cpuNs, Counts.both(notes, moreNotes));
    }
}
