package org.onesided.tools.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Groups samples into metric families by name. Not thread-safe.
 */
final class Families
{
    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

    /** Adds a counter; {@code _total} is appended to its name. */
    void counter(final String name, final String help, final double value, final String... labels)
    {
        counters.computeIfAbsent(name, (each) -> CounterSnapshot.builder().name(each).help(help))
            .dataPoint(CounterDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
    }

    /** Adds a gauge. */
    void gauge(final String name, final String help, final double value, final String... labels)
    {
        gauges.computeIfAbsent(name, (each) -> GaugeSnapshot.builder().name(each).help(help))
            .dataPoint(GaugeDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
    }

    /** Adds a histogram: the count of each bucket, and the sum. */
    void histogram(
        final String name,
        final String help,
        final double[] upperBounds,
        final long[] counts,
        final double sum,
        final String... labels)
    {
        histograms.computeIfAbsent(name, (each) -> HistogramSnapshot.builder().name(each).help(help))
            .dataPoint(HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(upperBounds, counts))
                .sum(sum)
                .labels(Labels.of(labels))
                .build());
    }

    MetricSnapshots snapshots()
    {
        final MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.values().forEach((family) -> all.metricSnapshot(family.build()));
        gauges.values().forEach((family) -> all.metricSnapshot(family.build()));
        histograms.values().forEach((family) -> all.metricSnapshot(family.build()));
        return all.build();
    }
}
