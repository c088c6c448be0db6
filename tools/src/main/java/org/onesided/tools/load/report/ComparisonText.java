package org.onesided.tools.load.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.onesided.tools.load.output.Latencies;
import org.onesided.tools.text.Table;

/**
 * Several runs side by side, for terminals: the figures that most people look at, and how far they are from those of
 * the first run.
 */
public final class ComparisonText
{
    private static final List<String> PHASES = List.of("run", "load");
    private static final List<String> PERCENTILES = List.of("50", "99", "99.9");
    private static final String NONE = "";

    private final List<ReportRun> runs;
    private final Table table;

    private ComparisonText(final List<ReportRun> runs)
    {
        this.runs = runs;
        final List<String> head = new ArrayList<>(List.of("phase", "figure"));
        runs.forEach(run -> head.add(run.label()));
        table = new Table(head.toArray(String[]::new));
    }

    /**
     * @param runs to be compared, the first being the one that others are compared with.
     * @return a line per figure.
     * @throws IllegalArgumentException if a result lacks what it must have.
     */
    public static String of(final List<ReportRun> runs)
    {
        final ComparisonText text = new ComparisonText(runs);
        PHASES.forEach(text::add);
        return text.table.toString();
    }

    private void add(final String name)
    {
        final List<Map<String, Object>> phases = runs.stream().map(run -> phase(run, name)).toList();
        if (phases.stream().allMatch(Map::isEmpty))
        {
            return;
        }
        row(name, "operations/s", phases, phase -> number(phase, "throughput"), ComparisonText::count);
        final Set<String> operations = new LinkedHashSet<>();
        phases.forEach(phase -> list(phase, "operations").forEach(one -> operations.add(text(one, "operation"))));
        for (final String operation : operations)
        {
            for (final String percentile : PERCENTILES)
            {
                row(name, operation + " p" + percentile, phases,
                    phase -> latency(phase, operation, percentile), Latencies::text);
            }
        }
        if (phases.stream().anyMatch(phase -> readsPerGet(phase) != null))
        {
            row(name, "READs per GET", phases, ComparisonText::readsPerGet, value ->
                String.format(Locale.ROOT, "%.3f", value));
        }
        row(name, "failed", phases, phase -> number(phase, "failed"), ComparisonText::count);
    }

    private void row(
        final String phaseName,
        final String figure,
        final List<Map<String, Object>> phases,
        final Function<Map<String, Object>, Double> valueOf,
        final DoubleFunction<String> format)
    {
        final List<Object> row = new ArrayList<>(List.of(phaseName, figure));
        Double first = null;
        for (final Map<String, Object> phase : phases)
        {
            final Double value = phase.isEmpty() ? null : valueOf.apply(phase);
            row.add(value == null ? NONE : format.apply(value) + change(first, value));
            first = row.size() == 3 ? value : first;
        }
        table.row(row.toArray());
    }

    /** Null if there were no lookups. */
    private static Double readsPerGet(final Map<String, Object> phase)
    {
        final Map<String, Object> client = phase.isEmpty() ? Map.of() : map(phase, "client");
        return client.isEmpty() || number(client, "gets") == 0 ? null : (Double)number(client, "readsPerGet");
    }

    private static String change(final Double first, final double value)
    {
        return first == null || first <= 0 || first == value ? "" :
            String.format(Locale.ROOT, " (%+.1f %%)", 100 * (value / first - 1));
    }

    private static Double latency(final Map<String, Object> phase, final String operation, final String percentile)
    {
        for (final Map<String, Object> one : list(phase, "operations"))
        {
            if (text(one, "operation").equals(operation))
            {
                // As the one waits who wants it done at its time.
                final Map<String, Object> latencies = map(one, one.containsKey("intended") ? "intended" : "service");
                final Map<String, Object> percentiles = map(latencies, "percentiles");
                return percentiles.isEmpty() ? null : number(percentiles, percentile);
            }
        }
        return null;
    }

    private static Map<String, Object> phase(final ReportRun run, final String name)
    {
        return list(run.tree(), "phases").stream()
            .filter(phase -> name.equals(phase.get("phase")))
            .findFirst()
            .orElse(Map.of());
    }

    private static String count(final double value)
    {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static double number(final Map<String, Object> from, final String name)
    {
        if (from.get(name) instanceof Number value)
        {
            return value.doubleValue();
        }
        throw missing("number", name);
    }

    private static String text(final Map<String, Object> from, final String name)
    {
        if (from.get(name) instanceof String value)
        {
            return value;
        }
        throw missing("text", name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(final Map<String, Object> from, final String name)
    {
        if (from.get(name) instanceof Map<?, ?> value)
        {
            return (Map<String, Object>)value;
        }
        throw missing("object", name);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(final Map<String, Object> from, final String name)
    {
        if (from.get(name) instanceof List<?> value && value.stream().allMatch(element -> element instanceof Map))
        {
            return (List<Map<String, Object>>)value;
        }
        throw missing("list of objects", name);
    }

    private static IllegalArgumentException missing(final String what, final String name)
    {
        return new IllegalArgumentException("result lacks a " + what + ": field=" + name);
    }
}
