package org.onesided.tools.load.run;

/**
 * A thread's loop: an operation after the other, at its pace, until its time, its number or the phase has ended.
 */
final class Worker
{
    private static final long NOW = -1;

    private final PhaseClock clock;
    private final Task task;
    private final ThreadRecorder recorder;
    private final Pace pace;
    private final long limit;
    private boolean isMeasuring;
    private long lastNs;
    private long behind;

    /**
     * @param pace  of the operations, or null for one at once behind the other.
     * @param limit operations to be measured.
     */
    Worker(
        final PhaseClock clock, final Task task, final ThreadRecorder recorder, final Pace pace, final long limit)
    {
        this.clock = clock;
        this.task = task;
        this.recorder = recorder;
        this.pace = pace;
        this.limit = limit;
    }

    void run()
    {
        lastNs = clock.nowNs();
        while (!clock.isStopped() && lastNs < clock.endNs() && measured() < limit && task.prepare())
        {
            if (pace == null)
            {
                lastNs = task.perform(NOW);
            }
            else if (!performAtItsTime())
            {
                break;
            }
        }
        final long nowNs = Math.min(clock.nowNs(), clock.endNs());
        if (measured() < limit && (clock.isStopped() || nowNs == clock.endNs()))
        {
            // What ended it is no operation, so that the time without any counts, too.
            lastNs = Math.max(lastNs, nowNs);
        }
        if (pace != null)
        {
            endWarmUp(nowNs);
            behind = isMeasuring ? Math.min(pace.behind(nowNs), Math.max(0, limit - measured())) : 0;
        }
    }

    /** When the last operation ended, in nanoseconds after the begin of the phase. */
    long lastNs()
    {
        return lastNs;
    }

    /** Operations whose time had come, but which were not begun. */
    long behind()
    {
        return behind;
    }

    private long measured()
    {
        return recorder.doneCount() + recorder.failedCount();
    }

    /** What the warm-up left undone is not worked off in the time that is measured. */
    private void endWarmUp(final long timeNs)
    {
        if (!isMeasuring && timeNs >= clock.measureFromNs())
        {
            isMeasuring = true;
            pace.restart(clock.measureFromNs());
        }
    }

    private boolean performAtItsTime()
    {
        endWarmUp(Math.max(pace.nextNs(), clock.nowNs()));
        final long intendedNs = pace.nextNs();
        Pace.await(Math.min(intendedNs, clock.endNs()), clock);
        if (clock.isStopped() || intendedNs >= clock.endNs())
        {
            return false;
        }
        pace.begin();
        lastNs = task.perform(intendedNs);
        return true;
    }
}
