package org.onesided.eviction;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the hit ratios of policies of eviction on traces, as the rows of a table in Markdown. */
@Command(
    name = "tests/run eviction",
    description = "Simulates policies of eviction on traces and prints their hit ratios.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class EvictionSimulation implements Callable<Integer>
{
    private static final String ALL = "all";
    private static final List<String> MADE = List.of("zipf-0.9", "zipf-0.99", "zipf-1.1", "shifting", "mixed-sizes");

    @Option(names = "--jar", required = true)
    private Path jar;

    @Option(names = "--traces", split = ",")
    private List<String> traces = List.of(ALL);

    @Option(names = "--policies", split = ",")
    private List<String> policies = List.of(ALL);

    @Option(names = "--percent", split = ",")
    private List<Double> percents = List.of(1.0, 5.0, 20.0);

    @Option(names = "--one-in", split = ",")
    private List<Integer> oneIns = List.of(Simulation.BY_RULE, 1, 4, 16, 64, 256);

    @Option(names = "--lookups")
    private int lookups = 1_000_000;

    @Option(names = "--estimates")
    private boolean isOfEstimates;

    @Option(names = "--write")
    private Path folder;

    private EvictionSimulation()
    {
    }

    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new EvictionSimulation()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException
    {
        final List<Contestant> contestants = Arrays.stream(Contestant.values())
            .filter(each -> policies.contains(ALL) || policies.contains(each.toString()))
            .toList();
        if (folder != null)
        {
            write();
            return 0;
        }
        if (isOfEstimates)
        {
            System.out.println("| trace | % | 1 in | hit ratio | half: simulated | estimated | " +
                "twice: simulated | estimated |");
            System.out.println("|---|---|---|---|---|---|---|---|");
        }
        else
        {
            printHead(contestants);
        }
        for (final String name : names())
        {
            final Trace trace = trace(name);
            for (final double percent : percents)
            {
                if (isOfEstimates)
                {
                    printEstimates(trace, percent);
                }
                else
                {
                    print(trace, percent, contestants);
                }
            }
        }
        return 0;
    }

    private void write() throws IOException
    {
        Files.createDirectories(folder);
        for (final String name : names())
        {
            final Trace trace = trace(name);
            final Path file = folder.resolve(name);
            Files.write(file, (Iterable<String>)Arrays.stream(trace.keys).mapToObj(Integer::toString)::iterator);
            System.out.println(file + ": " + trace.keys.length + " lookups of " + trace.keyCount() + " keys");
        }
    }

    private List<String> names()
    {
        if (!traces.contains(ALL))
        {
            return traces;
        }
        final List<String> names = new ArrayList<>();
        for (final RealTrace trace : RealTrace.values())
        {
            names.add(trace.toString());
        }
        names.addAll(MADE);
        return names;
    }

    private Trace trace(final String name) throws IOException
    {
        switch (name)
        {
            case "zipf-0.9":
            case "zipf-0.99":
            case "zipf-1.1":
                return MadeTraces.zipfWithScans(Double.parseDouble(name.substring("zipf-".length())), lookups);
            case "shifting":
                return MadeTraces.shifting(lookups);
            case "mixed-sizes":
                return MadeTraces.mixedSizes(lookups);
            default:
                return new Traces(jar).read(RealTrace.of(name), lookups);
        }
    }

    private void printHead(final List<Contestant> contestants)
    {
        final StringBuilder head = new StringBuilder("| trace | lookups | keys | % | records |");
        final StringBuilder rule = new StringBuilder("|---|---|---|---|---|");
        for (final Contestant contestant : contestants)
        {
            for (final int oneIn : contestant.seesAll() ? List.of(1) : oneIns)
            {
                head.append(' ').append(contestant);
                if (!contestant.seesAll())
                {
                    head.append(oneIn == Simulation.BY_RULE ? " by rule" : " 1/" + oneIn);
                }
                head.append(" |");
                rule.append("---|");
            }
        }
        System.out.println(head);
        System.out.println(rule);
    }

    private void print(final Trace trace, final double percent, final List<Contestant> contestants)
    {
        final long capacity = trace.capacity(percent);
        final StringBuilder row = new StringBuilder(String.format("| %s | %d | %d | %.0f | %d |", trace.name,
            trace.keys.length, trace.keyCount(), percent, trace.recordsIn(capacity)));
        for (final Contestant contestant : contestants)
        {
            for (final int oneIn : contestant.seesAll() ? List.of(1) : oneIns)
            {
                row.append(String.format(" %.1f |", 100 * contestant.hitRatio(trace, capacity, oneIn)));
            }
        }
        System.out.println(row);
    }

    private void printEstimates(final Trace trace, final double percent)
    {
        final long capacity = trace.capacity(percent);
        for (final int oneIn : oneIns)
        {
            final MiniatureCaches miniatures = new MiniatureCaches(trace, capacity, Math.max(1, oneIn));
            for (final int key : trace.keys)
            {
                miniatures.lookup(key);
            }
            final double now = Contestant.DENSITY.hitRatio(trace, capacity, oneIn);
            System.out.printf("| %s | %.0f | %d | %.1f | %.1f | %.1f | %.1f | %.1f |%n", trace.name, percent, oneIn,
                100 * now,
                100 * Contestant.DENSITY.hitRatio(trace, capacity / 2, oneIn),
                100 * (now + miniatures.half(trace.keys.length)),
                100 * Contestant.DENSITY.hitRatio(trace, 2 * capacity, oneIn),
                100 * (now + miniatures.twice(trace.keys.length)));
        }
    }
}
