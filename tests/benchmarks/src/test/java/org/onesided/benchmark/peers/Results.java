package org.onesided.benchmark.peers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run showed, as it goes into JSON. Not thread-safe.
 */
final class Results
{
    private final List<Comparison> comparisons = new ArrayList<>();
    private final List<Figure> figures = new ArrayList<>();
    private final List<Series> series = new ArrayList<>();
    private final List<Object> missing = new ArrayList<>();
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final List<Object> commands = new ArrayList<>();

    /** Compares, unless one of them is missing here. */
    void compare(final String name, final Series ours, final Series theirs, final double target)
    {
        if (ours != null && theirs != null)
        {
            comparisons.add(Comparison.of(name, ours, theirs, target));
        }
    }

    /** Compares for the record only. */
    void compare(final String name, final Series ours, final Series theirs)
    {
        compare(name, ours, theirs, Double.NaN);
    }

    void add(final Comparison comparison)
    {
        comparisons.add(comparison);
    }

    void add(final Figure figure)
    {
        figures.add(figure);
    }

    void add(final Collection<Series> measured)
    {
        series.addAll(measured);
    }

    void missing(final String what)
    {
        missing.add(what);
    }

    /** Tells something that is no number. */
    void fact(final String name, final String text)
    {
        facts.put(name, text);
    }

    void command(final List<String> command)
    {
        commands.add(String.join(" ", command));
    }

    /**
     * @param head what the run was measured on and with.
     * @return the JSON.
     */
    Map<String, Object> tree(final Map<String, Object> head)
    {
        final Map<String, Object> tree = new LinkedHashMap<>(head);
        tree.put("memory", facts);
        tree.put("commands", commands);
        tree.put("missing", missing);
        tree.put("comparisons", comparisons.stream().map(Results::tree).toList());
        tree.put("figures", figures.stream().map(Results::tree).toList());
        tree.put("series", series.stream().map(Results::tree).toList());
        return tree;
    }

    private static Map<String, Object> tree(final Comparison comparison)
    {
        final Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", comparison.name());
        tree.put("ours", comparison.ours());
        tree.put("theirs", comparison.theirs());
        tree.put("unit", comparison.unit());
        tree.put("ratio", comparison.ratio().median());
        tree.put("least", comparison.ratio().least());
        tree.put("most", comparison.ratio().most());
        if (comparison.hasTarget())
        {
            tree.put("target", comparison.target());
            tree.put("met", comparison.isMet());
        }
        return tree;
    }

    private static Map<String, Object> tree(final Figure figure)
    {
        final Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", figure.name());
        tree.put("value", figure.value());
        tree.put("unit", figure.unit());
        if (figure.hasTarget())
        {
            tree.put("target", figure.target());
            tree.put("at least", figure.isAtLeast());
            tree.put("met", figure.isMet());
        }
        return tree;
    }

    private static Map<String, Object> tree(final Series one)
    {
        final Map<String, Object> tree = new LinkedHashMap<>();
        final Spread spread = one.spread();
        tree.put("name", one.name());
        tree.put("unit", one.unit());
        tree.put("median", spread.median());
        tree.put("least", spread.least());
        tree.put("most", spread.most());
        if (one.hasDistribution())
        {
            tree.put("p99", one.tail());
            tree.put("mean", one.mean());
            tree.put("allocated bytes", one.allocation());
        }
        tree.put("rounds", List.copyOf(one.values()));
        return tree;
    }
}
