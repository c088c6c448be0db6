package org.onesided.tools.load.run;

/**
 * The loop of a thread: operations at its pace, until its time, its number or the phase ends.
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
     * @param pace  of the operations; null for no pause between them.
     * @param limit number of operations to measure.
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
            // The reason of the end may not be an operation, and the time up to it counts, too.
            lastNs = Math.max(lastNs, nowNs);
        }
        if (pace != null)
        {
            endWarmUp(nowNs);
            behind = isMeasuring ? Math.min(pace.behind(nowNs), Math.max(0, limit - measured())) : 0;
        }
    }

    /** End of the last operation, in nanoseconds since the begin of the phase. */
    long lastNs()
    {
        return lastNs;
    }

    /** Operations that were due but not started. */
    long behind()
    {
        return behind;
    }

    private long measured()
    {
        return recorder.endedCount();
    }

    /** The measured time does not make up for operations that the warm-up missed. */
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
