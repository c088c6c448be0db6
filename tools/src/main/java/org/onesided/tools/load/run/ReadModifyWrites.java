package org.onesided.tools.load.run;

import org.onesided.tools.load.workload.OperationType;
import org.onesided.tools.load.workload.ReadModifyWrite;

/**
 * Read-modify-writes, recorded as one operation beside their parts. For one thread.
 */
final class ReadModifyWrites
{
    private static final long NOW = -1;

    private final ReadModifyWrite kind;
    private final Operations operations;
    private final ThreadRecorder recorder;
    private final PhaseClock clock;

    ReadModifyWrites(
        final ReadModifyWrite kind,
        final Operations operations,
        final ThreadRecorder recorder,
        final PhaseClock clock)
    {
        this.kind = kind;
        this.operations = operations;
        this.recorder = recorder;
        this.clock = clock;
    }

    /**
     * Executes and records one.
     *
     * @param number     of the item.
     * @param isWritten  whether the item is known to have been put.
     * @param intendedNs intended start; negative for now.
     * @return what became of it.
     */
    Outcome perform(final long number, final boolean isWritten, final long intendedNs)
    {
        final long nowNs = clock.nowNs();
        final boolean isVersioned = kind != ReadModifyWrite.PLAIN;
        final boolean isRead = operations.read(number, isWritten, isVersioned, intendedNs);
        final long startNs = operations.startNs();
        Outcome outcome = put(number, isRead, isVersioned, intendedNs);
        while (outcome == Outcome.CONFLICT && kind == ReadModifyWrite.RETRY && !isOver())
        {
            outcome = put(number, operations.read(number, true, true, NOW), true, NOW);
        }
        operations.measureFrom(intendedNs, nowNs);
        if (outcome == Outcome.DONE)
        {
            recorder.done(OperationType.READ_MODIFY_WRITE, intendedNs < 0 ? startNs : intendedNs, startNs,
                operations.endNs());
        }
        else if (outcome == Outcome.FAILED)
        {
            recorder.failedPart(OperationType.READ_MODIFY_WRITE, startNs, operations.endNs());
        }
        return outcome;
    }

    private Outcome put(final long number, final boolean isRead, final boolean isVersioned, final long intendedNs)
    {
        return isRead ? operations.put(OperationType.UPDATE, number, isVersioned, intendedNs) : Outcome.FAILED;
    }

    private boolean isOver()
    {
        return clock.isStopped() || operations.endNs() >= clock.endNs();
    }
}
