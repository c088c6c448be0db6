package org.onesided.tools.load.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.onesided.tools.load.output.Conflicts;
import org.onesided.tools.load.workload.OperationType;

class ThreadRecorderTest
{
    private final ThreadRecorder recorder = new ThreadRecorder(false);

    @Test
    void shouldCountWholeOperationsInEachInterval()
    {
        recorder.measuring(true);
        done(OperationType.READ);
        recorder.ended(Outcome.DONE);
        done(OperationType.INSERT);
        recorder.ended(Outcome.DONE);
        readModifyWrite(2);
        assertInterval(3, 2, 0);

        readModifyWrite(0);
        done(OperationType.READ);
        recorder.conflict();
        recorder.ended(Outcome.CONFLICT);
        assertInterval(1, 1, 1);

        assertInterval(0, 0, 0);
        assertEquals(new Conflicts(3, 1), recorder.conflicts());
        assertEquals(4, recorder.doneCount());
        assertEquals(5, recorder.endedCount());
    }

    @Test
    void shouldLeaveConflictsOfTheWarmUpOut()
    {
        recorder.measuring(false);
        recorder.conflict();
        recorder.ended(Outcome.CONFLICT);

        assertInterval(0, 0, 0);
        assertEquals(Conflicts.NONE, recorder.conflicts());
    }

    @Test
    void shouldAddConflictsOfIntervals()
    {
        final Interval one = new Interval(0, 1000);
        one.add(new Conflicts(3, 1));
        final Interval other = new Interval(1000, 1000);
        other.add(new Conflicts(5, 2));

        assertEquals(new Conflicts(8, 3), one.with(other).conflicts());
    }

    private void readModifyWrite(final int conflicts)
    {
        for (int i = 0; i < conflicts; i++)
        {
            done(OperationType.READ);
            recorder.conflict();
        }
        done(OperationType.READ);
        done(OperationType.UPDATE);
        done(OperationType.READ_MODIFY_WRITE);
        recorder.ended(Outcome.DONE);
    }

    private void done(final OperationType type)
    {
        recorder.done(type, 0, 0, 1000);
    }

    private void assertInterval(final long done, final long conflicts, final long givenUp)
    {
        final Interval interval = new Interval(0, 1000);
        recorder.addTo(interval);
        assertEquals(done, interval.doneCount());
        assertEquals(new Conflicts(conflicts, givenUp), interval.conflicts());
    }
}
