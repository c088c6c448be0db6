package org.onesided.benchmark.peers;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The turns of all rounds by name: a table of medians and ranges, and ratios of turns of the same round.
 */
final class TurnTable
{
    private static final double NS_PER_US = 1000;
    /** Shorter times are shown in nanoseconds. */
    private static final double LEAST_US = 10;

    private final Map<String, List<Turn>> turns = new LinkedHashMap<>();

    /**
     * A ratio, or a rate, and what is asked of it.
     *
     * @param what   in words.
     * @param ours   name of a turn.
     * @param theirs name of the turn that it is divided by; null for nothing.
     * @param number of both.
     * @param bound  that is asked.
     * @param isMost whether the bound is the most, or else the least.
     */
    record Asked(
        String what, String ours, String theirs, ToDoubleFunction<Turn> number, double bound, boolean isMost)
    {
        static Asked most(
            final String what, final String ours, final String theirs, final ToDoubleFunction<Turn> number,
            final double bound)
        {
            return new Asked(what, ours, theirs, number, bound, true);
        }

        static Asked least(final String what, final String ours, final String theirs, final double bound)
        {
            return new Asked(what, ours, theirs, Turn::perSecond, bound, false);
        }
    }

    void add(final String name, final Turn turn)
    {
        turns.computeIfAbsent(name, (n) -> new ArrayList<>()).add(turn);
    }

    boolean has(final String name)
    {
        return turns.containsKey(name);
    }

    /** The median of a turn's number in all rounds; the turn must have been measured. */
    double median(final String name, final ToDoubleFunction<Turn> number)
    {
        return spread(turns.get(name).stream(), number).median();
    }

    void print(final PrintStream out)
    {
        out.println("| measured | a second | p50, µs | p99, µs |");
        out.println("|---|---|---|---|");
        turns.forEach((name, all) -> out.printf("| %s | %s | %s | %s |%n", name, cell(all, Turn::perSecond, "%,.0f", 1),
            cell(all, Turn::p50Ns, "%,.1f", NS_PER_US), cell(all, Turn::p99Ns, "%,.1f", NS_PER_US)));
    }

    private static String cell(
        final List<Turn> all, final ToDoubleFunction<Turn> number, final String format, final double divisor)
    {
        final Spread spread = spread(all.stream(), number);
        if (Double.isNaN(spread.median()))
        {
            return "-";
        }
        final String digits = divisor > 1 && spread.median() < LEAST_US * divisor ? "%.3f" : format;
        final String median = text(digits, spread.median() / divisor);
        return all.size() == 1 ? median : median + " (" + text(digits, spread.least() / divisor) + " to " +
            text(digits, spread.most() / divisor) + ")";
    }

    /** Prints what is asked of turns that were measured. */
    void printAsked(final PrintStream out, final List<Asked> all)
    {
        out.println("| asked | bound | reached | range | |");
        out.println("|---|---|---|---|---|");
        for (final Asked asked : all)
        {
            reached(asked).ifPresent((reached) ->
            {
                final String format = asked.theirs() == null ? "%,.0f" : "%.2f";
                final boolean isMet =
                    asked.isMost() ? reached.median() <= asked.bound() : reached.median() >= asked.bound();
                out.printf("| %s | %s %s | %s | %s to %s | %s |%n", asked.what(),
                    asked.isMost() ? "at most" : "at least", text(format, asked.bound()),
                    text(format, reached.median()), text(format, reached.least()), text(format, reached.most()),
                    isMet ? "met" : "missed");
            });
        }
    }

    /** Nothing if a turn was not measured in the same rounds. */
    Optional<Spread> reached(final Asked asked)
    {
        final List<Turn> ours = turns.getOrDefault(asked.ours(), List.of());
        if (asked.theirs() == null)
        {
            return ours.isEmpty() ? Optional.empty() : Optional.of(spread(ours.stream(), asked.number()));
        }
        final List<Turn> theirs = turns.getOrDefault(asked.theirs(), List.of());
        if (ours.isEmpty() || ours.size() != theirs.size())
        {
            return Optional.empty();
        }
        final List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++)
        {
            ratios.add(asked.number().applyAsDouble(ours.get(i)) / asked.number().applyAsDouble(theirs.get(i)));
        }
        return Optional.of(Spread.of(ratios));
    }

    private static Spread spread(final Stream<Turn> all, final ToDoubleFunction<Turn> number)
    {
        return Spread.of(all.map(number::applyAsDouble).toList());
    }

    private static String text(final String format, final double value)
    {
        return String.format(Locale.ROOT, format, value);
    }
}
