package org.onesided.tools.load.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.onesided.tools.load.output.Latencies;
import org.onesided.tools.text.Table;

/**
 * Several runs side by side, reduced to the main figures. Not thread-safe.
 */
public final class Comparison
{
    private static final List<String> PHASES = List.of("run", "load");
    /** Parts of a result that describe the measurement. */
    private static final List<String> SETTINGS = List.of("settings", "store", "machine");
    /** The seed, and settings that derive from others. */
    private static final Set<String> NO_SETTINGS = Set.of("seed", "valueLength", "address");
    private static final List<String> PERCENTILES = List.of("50", "99", "99.9");

    private final List<ReportRun> runs;
    private final List<Figure> figures = new ArrayList<>();

    /** Units of the figures. */
    private enum Unit
    {
        RATE("1/s", Comparison::count),
        TIME("ns", Latencies::text),
        RATIO("1", value -> String.format(Locale.ROOT, "%.3f", value)),
        COUNT("1", Comparison::count);

        private final String symbol;
        private final DoubleFunction<String> format;

        Unit(final String symbol, final DoubleFunction<String> format)
        {
            this.symbol = symbol;
            this.format = format;
        }
    }

    /** A figure of a phase, with a value for each run; null for runs without it. */
    private record Figure(String phase, String name, Unit unit, Double[] values)
    {
    }

    private Comparison(final List<ReportRun> runs)
    {
        this.runs = runs;
    }

    /**
     * @param runs to compare; the first is the baseline.
     * @return their figures.
     * @throws IllegalArgumentException if a result lacks a required field.
     */
    public static Comparison of(final List<ReportRun> runs)
    {
        final Comparison comparison = new Comparison(List.copyOf(runs));
        PHASES.forEach(comparison::add);
        return comparison;
    }

    /**
     * @return for people: a line per figure with the difference from the first run, then the settings that differ.
     */
    public String table()
    {
        final List<String> head = new ArrayList<>(List.of("phase", "figure"));
        runs.forEach(run -> head.add(run.label()));
        final Table table = new Table(head.toArray(String[]::new));
        for (final Figure figure : figures)
        {
            final List<Object> row = new ArrayList<>(List.of(figure.phase(), figure.name()));
            final Double first = figure.values()[0];
            for (final Double value : figure.values())
            {
                row.add(value == null ? "" : figure.unit().format.apply(value) + change(first, value));
            }
            table.row(row.toArray());
        }
        return table + differences();
    }

    /** The settings that differ between runs, except the seed, which always differs. */
    private String differences()
    {
        final List<String> head = new ArrayList<>(List.of("setting"));
        runs.forEach(run -> head.add(run.label()));
        final Table table = new Table(head.toArray(String[]::new));
        for (final String part : SETTINGS)
        {
            final Set<String> names = new LinkedHashSet<>();
            runs.forEach(run -> names.addAll(run.result().object(part).fields().keySet()));
            names.removeAll(NO_SETTINGS);
            for (final String name : names)
            {
                final List<String> row = new ArrayList<>(List.of(name));
                runs.forEach(run -> row.add(words(run.result().object(part).fields().get(name))));
                if (new LinkedHashSet<>(row.subList(1, row.size())).size() > 1)
                {
                    table.row(row.toArray());
                }
            }
        }
        return table.isEmpty() ? "" : "\nWhat differs between the runs:\n" + table;
    }

    private static String words(final Object value)
    {
        return value == null ? "" : value instanceof Number number ? number(number.doubleValue()) :
            value instanceof Map<?, ?> parts ? parts.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining(", ")) :
            value.toString();
    }

    /**
     * @return for programs: a line per figure, with tabs between phase, figure, unit and the values of the runs; times
     *         are in nanoseconds, and missing values are {@code -}.
     */
    public String plain()
    {
        return figures.stream()
            .map(figure -> figure.phase() + '\t' + figure.name() + '\t' + figure.unit().symbol + '\t' +
                Arrays.stream(figure.values())
                    .map(value -> value == null ? "-" : number(value))
                    .collect(Collectors.joining("\t")) + '\n')
            .collect(Collectors.joining());
    }

    /**
     * @return the same as one JSON object on one line.
     */
    public String json()
    {
        final StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text))
        {
            json.writeStartObject();
            json.writeArrayFieldStart("runs");
            for (final ReportRun run : runs)
            {
                json.writeString(run.label());
            }
            json.writeEndArray();
            json.writeArrayFieldStart("figures");
            for (final Figure figure : figures)
            {
                json.writeStartObject();
                json.writeStringField("phase", figure.phase());
                json.writeStringField("figure", figure.name());
                json.writeStringField("unit", figure.unit().symbol);
                json.writeArrayFieldStart("values");
                for (final Double value : figure.values())
                {
                    json.writeRawValue(value == null ? "null" : number(value));
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    private void add(final String name)
    {
        final List<JsonPart> phases = runs.stream().map(run -> phase(run, name)).toList();
        add(name, "operations/s", Unit.RATE, phases, phase -> phase.number("throughput"));
        final Set<String> operations = new LinkedHashSet<>();
        phases.stream().filter(phase -> !phase.isEmpty()).forEach(phase ->
            phase.objects("operations").forEach(one -> operations.add(one.text("operation"))));
        for (final String operation : operations)
        {
            for (final String percentile : PERCENTILES)
            {
                add(name, operation + " p" + percentile, Unit.TIME, phases,
                    phase -> latency(phase, operation, percentile));
            }
        }
        add(name, "READs per GET", Unit.RATIO, phases, Comparison::readsPerGet);
        if (phases.stream().anyMatch(phase -> !phase.isEmpty() && conflicts(phase) > 0))
        {
            add(name, "conflicts", Unit.COUNT, phases, Comparison::conflicts);
        }
        add(name, "failed", Unit.COUNT, phases, phase -> phase.number("failed"));
    }

    /** Adds a figure if at least one run has it. */
    private void add(
        final String phaseName,
        final String name,
        final Unit unit,
        final List<JsonPart> phases,
        final Function<JsonPart, Double> valueOf)
    {
        final Double[] values = phases.stream()
            .map(phase -> phase.isEmpty() ? null : valueOf.apply(phase))
            .toArray(Double[]::new);
        if (!Arrays.stream(values).allMatch(value -> value == null))
        {
            figures.add(new Figure(phaseName, name, unit, values));
        }
    }

    /** Null without lookups. */
    private static Double readsPerGet(final JsonPart phase)
    {
        final JsonPart client = phase.object("client");
        return client.number("gets") == 0 ? null : (Double)client.number("readsPerGet");
    }

    /** Older results have no such number, and no operations that could have conflicts. */
    private static double conflicts(final JsonPart phase)
    {
        return phase.fields().containsKey("conflicts") ? phase.object("conflicts").number("puts") : 0;
    }

    private static String change(final Double first, final double value)
    {
        return first == null || first <= 0 || first == value ? "" :
            String.format(Locale.ROOT, " (%+.1f %%)", 100 * (value / first - 1));
    }

    /** With three decimals, or none. */
    private static String number(final double value)
    {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) :
            String.format(Locale.ROOT, "%.3f", value);
    }

    private static Double latency(final JsonPart phase, final String operation, final String percentile)
    {
        for (final JsonPart one : phase.objects("operations"))
        {
            if (one.text("operation").equals(operation))
            {
                // From the intended start, as a caller with a schedule sees it.
                final String times = one.fields().containsKey("intended") ? "intended" : "service";
                final JsonPart percentiles = one.object(times).object("percentiles");
                return percentiles.isEmpty() ? null : (Double)percentiles.number(percentile);
            }
        }
        return null;
    }

    private static JsonPart phase(final ReportRun run, final String name)
    {
        return run.result().objects("phases").stream()
            .filter(phase -> name.equals(phase.text("phase")))
            .findFirst()
            .orElse(new JsonPart(name, Map.of()));
    }

    private static String count(final double value)
    {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
