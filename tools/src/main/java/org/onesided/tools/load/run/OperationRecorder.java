package org.onesided.tools.load.run;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Records the latencies of one thread and one kind of operation. That thread records, and another collects.
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

    /** Records an operation that succeeded; times are in nanoseconds. */
    void done(final long intendedNs, final long startNs, final long endNs)
    {
        service.recordValue(endNs - startNs);
        if (intended != null)
        {
            intended.recordValue(Math.max(0, endNs - intendedNs));
        }
    }

    /** Records an operation that failed; times are in nanoseconds. */
    void failed(final long startNs, final long endNs)
    {
        failed.recordValue(endNs - startNs);
    }

    /** Adds the records since the last call to an interval. */
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
