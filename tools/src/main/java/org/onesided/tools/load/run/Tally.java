package org.onesided.tools.load.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.onesided.tools.load.output.IntervalResult;
import org.onesided.tools.load.output.OperationResult;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.workload.OperationType;

/**
 * Adds up the intervals of a phase over processes. Histograms are added, so nothing is lost. Not thread-safe.
 */
final class Tally
{
    private final boolean hasTarget;
    private final Interval total = new Interval(0, 0);
    /** By begin; intervals do not overlap. */
    private final Map<Long, Interval> intervals = new TreeMap<>();

    Tally(final boolean hasTarget)
    {
        this.hasTarget = hasTarget;
    }

    void add(final Interval interval)
    {
        if (interval.lengthMs() == 0 && interval.parts().isEmpty())
        {
            return;
        }
        Interval sum = interval;
        // A longer interval, of a process that was held up, absorbs the others of that time: a rate without one of the
        // clients would be wrong.
        for (final Iterator<Interval> others = intervals.values().iterator(); others.hasNext();)
        {
            final Interval other = others.next();
            if (other.overlaps(interval))
            {
                others.remove();
                sum = sum.with(other);
            }
        }
        intervals.put(sum.startMs(), sum);
        total.add(interval);
    }

    /** All intervals, in order. */
    Collection<Interval> intervals()
    {
        return intervals.values();
    }

    PhaseResult result(final String name, final Instant start, final PhaseEnd end, final long serverCpuNs)
    {
        return new PhaseResult(
            name,
            start,
            end.elapsedNs(),
            end.ending(),
            end.done(),
            end.failed(),
            end.behind(),
            end.conflicts(),
            operations(),
            intervals.values().stream().map(Tally::result).toList(),
            end.failures(),
            end.verification(),
            end.client(),
            serverCpuNs,
            end.cpuNs(),
            end.notes());
    }

    private List<OperationResult> operations()
    {
        final List<OperationResult> all = new ArrayList<>();
        for (final Map.Entry<OperationType, Interval.Part> part : total.parts().entrySet())
        {
            final Histogram intended = part.getValue().intended();
            all.add(new OperationResult(
                part.getKey().label(),
                part.getValue().service(),
                hasTarget ? intended : null,
                part.getValue().failed()));
        }
        return List.copyOf(all);
    }

    private static IntervalResult result(final Interval interval)
    {
        final List<IntervalResult.Operation> operations = new ArrayList<>();
        interval.parts().forEach((type, part) ->
        {
            final Histogram latency = part.latency();
            final boolean isEmpty = latency.getTotalCount() == 0;
            operations.add(new IntervalResult.Operation(
                type.label(),
                part.service().getTotalCount(),
                part.failed().getTotalCount(),
                isEmpty ? 0 : latency.getValueAtPercentile(50),
                isEmpty ? 0 : latency.getValueAtPercentile(99),
                latency.getMaxValue()));
        });
        return new IntervalResult(
            interval.startMs(), interval.lengthMs(), interval.conflicts().puts(), List.copyOf(operations));
    }
}
