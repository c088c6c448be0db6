package org.onesided.tools.load.run;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Records one thread's latencies of one kind of operation. That thread records; one other takes what was recorded.
 */
final class OperationRecorder
{
    private static final int DIGITS = 3;

    private final SingleWriterRecorder service = new SingleWriterRecorder(DIGITS);
    private final SingleWriterRecorder intended;
    private final SingleWriterRecorder failed = new SingleWriterRecorder(DIGITS);
    private Histogram takenService;
    private Histogram takenIntended;
    private Histogram takenFailed;

    OperationRecorder(final boolean hasTarget)
    {
        intended = hasTarget ? new SingleWriterRecorder(DIGITS) : null;
    }

    /** An operation that succeeded; times are nanoseconds. */
    void done(final long intendedNs, final long startNs, final long endNs)
    {
        service.recordValue(endNs - startNs);
        if (intended != null)
        {
            intended.recordValue(Math.max(0, endNs - intendedNs));
        }
    }

    /** An operation that failed; times are nanoseconds. */
    void failed(final long startNs, final long endNs)
    {
        failed.recordValue(endNs - startNs);
    }

    /** Adds to an interval what was recorded since it was asked the last time. */
    void addTo(final Interval.Part part)
    {
        takenService = service.getIntervalHistogram(takenService);
        part.service().add(takenService);
        if (intended != null)
        {
            takenIntended = intended.getIntervalHistogram(takenIntended);
            part.intended().add(takenIntended);
        }
        takenFailed = failed.getIntervalHistogram(takenFailed);
        part.failed().add(takenFailed);
    }
}
