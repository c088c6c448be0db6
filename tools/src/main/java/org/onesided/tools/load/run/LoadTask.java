package org.onesided.tools.load.run;

import org.onesided.tools.load.workload.OperationType;

/**
 * Puts a range of items in order. For one thread.
 */
final class LoadTask implements Task
{
    private final Operations operations;
    private final ThreadRecorder recorder;
    private final PhaseFailure failure;
    private final long end;
    private long next;

    /**
     * @param first   item.
     * @param end     end of the range.
     * @param failure gets the failure if the phase cannot continue.
     */
    LoadTask(
        final Operations operations,
        final ThreadRecorder recorder,
        final PhaseFailure failure,
        final long first,
        final long end)
    {
        this.operations = operations;
        this.recorder = recorder;
        this.failure = failure;
        this.end = end;
        next = first;
    }

    @Override
    public boolean prepare()
    {
        if (next == end)
        {
            return false;
        }
        operations.item(next);
        return true;
    }

    @Override
    public long perform(final long intendedNs)
    {
        final boolean isDone = operations.put(OperationType.INSERT, next++, intendedNs);
        recorder.ended(isDone ? Outcome.DONE : Outcome.FAILED);
        if (!isDone)
        {
            // A table with missing records is useless for the run phase.
            failure.tell();
        }
        return operations.endNs();
    }
}
