package org.onesided.benchmark.peers;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.onesided.tools.text.Table;

/**
 * Lays a run's JSON out, for the terminal and as the page in {@code docs}.
 */
final class Report
{
    private static final String NONE = "-";

    private final Map<?, ?> tree;

    Report(final Object tree)
    {
        this.tree = (Map<?, ?>)tree;
    }

    /** For the terminal. */
    String text()
    {
        final Table times = new Table("", "median", "range", "p99", "mean", "B/op");
        each("series", (row) -> times.row(seriesCells(row)));
        final Table ratios = new Table("", "ours", "theirs", "unit", "ratio", "range", "target", "");
        each("comparisons", (row) -> ratios.row(comparisonCells(row)));
        final Table figures = new Table("", "value", "unit", "target", "");
        each("figures", (row) -> figures.row(figureCells(row)));
        return "\ntimes in ns, medians of the rounds\n" + times +
            "\nours over theirs, medians of the rounds' ratios\n" + ratios +
            (figures.isEmpty() ? "" : "\n" + figures) + missing();
    }

    private String missing()
    {
        final List<?> missing = (List<?>)tree.get("missing");
        return missing.isEmpty() ? "" : "\nnot there, so not measured: " + join(missing) + "\n";
    }

    private static String join(final List<?> texts)
    {
        return String.join(", ", texts.stream().map(String::valueOf).toList());
    }

    /** For {@code docs}, in Markdown. */
    String page() throws IOException
    {
        final List<String> comparisons =
            rows("operation / operation", "ours", "theirs", "unit", "ratio", "range", "target", "");
        each("comparisons", (row) -> comparisons.add(line(comparisonCells(row))));
        final List<String> figures = rows("", "value", "unit", "target", "");
        each("figures", (row) -> figures.add(line(figureCells(row))));
        final List<String> series =
            rows("operation: system", "median", "range of medians", "p99", "mean", "B/operation");
        each("series", (row) -> series.add(line(seriesCells(row))));
        final List<String> machine = rows("", "");
        for (final String part : List.of("machine", "peers", "memory", "run"))
        {
            ((Map<?, ?>)tree.get(part)).forEach((name, value) -> machine.add(line(name, plain(value))));
        }
        return template("page.md")
            .replace("{{comparisons}}", String.join("\n", comparisons) + missing().stripTrailing())
            .replace("{{figures}}", String.join("\n", figures))
            .replace("{{series}}", String.join("\n", series))
            .replace("{{vm}}", virtualMachine())
            .replace("{{machine}}", String.join("\n", machine))
            .replace("{{commands}}", String.join("\n", ((List<?>)tree.get("commands")).toArray(String[]::new)));
    }

    private String virtualMachine() throws IOException
    {
        if (!(tree.get("vm") instanceof Map<?, ?> vm))
        {
            return "";
        }
        final List<String> ratios = rows("", "ratio");
        ((Map<?, ?>)vm.get("ratios")).forEach((name, ratio) -> ratios.add(line(name, form(ratio))));
        return template("vm.md").replace("{{ratios}}", String.join("\n", ratios));
    }

    private static String template(final String name) throws IOException
    {
        try (InputStream input = Report.class.getResourceAsStream(name))
        {
            if (input == null)
            {
                throw new FileNotFoundException("no such resource: name=" + name);
            }
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A Markdown table's first two lines, to which more may be added. */
    private static List<String> rows(final Object... head)
    {
        final Object[] rule = new Object[head.length];
        Arrays.fill(rule, "---");
        return new ArrayList<>(List.of(line(head), line(rule)));
    }

    private static String line(final Object... cells)
    {
        return "| " + String.join(" | ", Arrays.stream(cells).map(String::valueOf).toList()) + " |";
    }

    private void each(final String part, final Consumer<Map<?, ?>> consumer)
    {
        ((List<?>)tree.get(part)).forEach((row) -> consumer.accept((Map<?, ?>)row));
    }

    private static Object[] comparisonCells(final Map<?, ?> row)
    {
        return new Object[]{
            row.get("name"), form(row.get("ours")), form(row.get("theirs")), row.get("unit"), form(row.get("ratio")),
            range(row), target(row), verdict(row)};
    }

    private static Object[] figureCells(final Map<?, ?> row)
    {
        return new Object[]{row.get("name"), form(row.get("value")), row.get("unit"), target(row), verdict(row)};
    }

    private static Object[] seriesCells(final Map<?, ?> row)
    {
        return new Object[]{
            row.get("name"), form(row.get("median")), range(row), form(row.get("p99")), form(row.get("mean")),
            form(row.get("allocated bytes"))};
    }

    private static String range(final Map<?, ?> row)
    {
        return form(row.get("least")) + " to " + form(row.get("most"));
    }

    private static String target(final Map<?, ?> row)
    {
        final Object target = row.get("target");
        if (target == null)
        {
            return NONE;
        }
        final String bound = Boolean.TRUE.equals(row.get("at least")) ? "at least " : "at most ";
        return bound + plain(target);
    }

    private static String verdict(final Map<?, ?> row)
    {
        final Object met = row.get("met");
        return met == null ? "" : Boolean.TRUE.equals(met) ? "met" : "missed";
    }

    /** A measured number, in no more digits than it deserves. */
    private static String form(final Object number)
    {
        if (number == null)
        {
            return NONE;
        }
        final double value = ((Number)number).doubleValue();
        if (value < 10)
        {
            return String.format(Locale.ROOT, value > 0 && value < 0.1 ? "%.4f" : "%.3f", value);
        }
        return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
    }

    /** A number as it was given. */
    private static String plain(final Object value)
    {
        if (value instanceof Number number)
        {
            final double exact = number.doubleValue();
            return exact == Math.rint(exact) ?
                String.format(Locale.ROOT, "%,.0f", exact) : number.toString();
        }
        return String.valueOf(value);
    }
}
