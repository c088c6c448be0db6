package org.onesided.tools.load.output;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A result in the lines that YCSB prints: metric, measurement, value. Latencies are whole microseconds, truncated as in
 * YCSB.
 */
public final class YcsbLines
{
    private static final double NS_PER_US = 1e3;
    private static final List<Integer> PERCENTILES = List.of(50, 95, 99);

    private final StringBuilder lines = new StringBuilder();

    private YcsbLines()
    {
    }

    /**
     * @param result of a run.
     * @return lines of the last phase: a call of YCSB has one phase, and readers of its output expect one.
     */
    public static String of(final RunResult result)
    {
        final YcsbLines all = new YcsbLines();
        result.phases().stream().skip(Math.max(0, result.phases().size() - 1)).forEach(all::add);
        return all.lines.toString();
    }

    private void add(final PhaseResult phase)
    {
        line("OVERALL", "RunTime(ms)", phase.elapsedNs() / 1_000_000);
        line("OVERALL", "Throughput(ops/sec)", phase.throughput());
        addCollections(phase);
        for (final OperationResult operation : phase.operations())
        {
            add(operation.operation(), operation.service());
            status(operation.operation(), "OK", operation.service().getTotalCount());
            for (final FailureCount failure : phase.failures())
            {
                if (failure.operation().equals(operation.operation()))
                {
                    status(operation.operation(), status(failure.kind()), failure.count());
                }
            }
            if (operation.intended() != null)
            {
                add("Intended-" + operation.operation(), operation.intended());
            }
            if (operation.failed().getTotalCount() > 0)
            {
                add(operation.operation() + "-FAILED", operation.failed());
            }
        }
    }

    /** Of the whole process, as in YCSB. */
    private void addCollections(final PhaseResult phase)
    {
        long count = 0;
        long timeMs = 0;
        for (final GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans())
        {
            count += Math.max(0, collector.getCollectionCount());
            timeMs += Math.max(0, collector.getCollectionTime());
        }
        line("TOTAL_GCs", "Count", count);
        line("TOTAL_GC_TIME", "Time(ms)", timeMs);
        line("TOTAL_GC_TIME_%", "Time(%)", phase.elapsedNs() == 0 ? 0.0 : timeMs * 1e8 / phase.elapsedNs());
    }

    private void add(final String metric, final Histogram histogram)
    {
        line(metric, "Operations", histogram.getTotalCount());
        line(metric, "AverageLatency(us)", histogram.getTotalCount() == 0 ? 0.0 : histogram.getMean() / NS_PER_US);
        line(metric, "MinLatency(us)", histogram.getTotalCount() == 0 ? 0 : us(histogram.getMinValue()));
        line(metric, "MaxLatency(us)", us(histogram.getMaxValue()));
        for (final int percentile : PERCENTILES)
        {
            line(metric, percentile + "thPercentileLatency(us)", us(LatencySummary.valueAt(histogram, percentile)));
        }
    }

    private static String status(final String kind)
    {
        return "not-found".equals(kind) ? "NOT_FOUND" : "wrong-value".equals(kind) ? "UNEXPECTED_STATE" : "ERROR";
    }

    private static long us(final long ns)
    {
        return (long)(ns / NS_PER_US);
    }

    private void status(final String metric, final String status, final long count)
    {
        line(metric, "Return=" + status, count);
    }

    private void line(final String metric, final String measurement, final Object value)
    {
        lines.append('[').append(metric).append("], ").append(measurement).append(", ").append(value).append('\n');
    }
}
