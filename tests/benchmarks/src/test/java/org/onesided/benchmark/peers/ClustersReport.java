package org.onesided.benchmark.peers;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.onesided.benchmark.peers.TurnTable.Asked;

/** What a run of {@link ClustersBenchmark} measured: times, the cluster's ratios to the others, and what is asked. */
final class ClustersReport
{
    /** The kinds of operations of a workload that does both. */
    static final String LOOKUPS = ", lookups";
    static final String UPDATES = ", updates";

    private static final String NONE = "-";
    private static final double GET_BOUND = 1.15;
    private static final double PUT_BOUND = 0.8;
    private static final double PUTS_BOUND = 3;

    static final List<Asked> ASKED = List.of(
        Asked.most("GET: cluster / server alone, p50", row(Workload.GET, StoreCluster.NAME),
            row(Workload.GET, StoreServer.NAME), Turn::p50Ns, GET_BOUND),
        Asked.most("put, 1 client: cluster / etcd, p50", row(Workload.PUT, StoreCluster.NAME),
            row(Workload.PUT, EtcdCluster.NAME), Turn::p50Ns, PUT_BOUND),
        Asked.least("put, 16 clients: cluster / etcd, a second", row(Workload.PUTS, StoreCluster.NAME),
            row(Workload.PUTS, EtcdCluster.NAME), PUTS_BOUND));

    private final TurnTable table;

    ClustersReport(final TurnTable table)
    {
        this.table = table;
    }

    /** Name of the turns of a workload, or of a kind of its operations. */
    static String row(final String workload, final String system)
    {
        return workload + ": " + system;
    }

    void add(final Workload workload, final String system, final Mix.Result result)
    {
        if (workload.isMixed())
        {
            table.add(row(workload.name(), system), Turn.rate(result.perSecond()));
            table.add(row(workload.name() + LOOKUPS, system), result.lookups());
            table.add(row(workload.name() + UPDATES, system), result.updates());
        }
        else
        {
            table.add(row(workload.name(), system), workload.updates() > 0 ? result.updates() : result.lookups());
        }
    }

    void print(final PrintStream out, final List<Workload> workloads)
    {
        table.print(out);
        out.println();
        printRatios(out, workloads);
        out.println();
        table.printAsked(out, ASKED);
    }

    private void printRatios(final PrintStream out, final List<Workload> workloads)
    {
        out.println("| cluster / other | a second | p50 | p99 |");
        out.println("|---|---|---|---|");
        for (final Workload workload : workloads)
        {
            final List<String> rows = new ArrayList<>(List.of(workload.name()));
            if (workload.isMixed())
            {
                rows.add(workload.name() + LOOKUPS);
                rows.add(workload.name() + UPDATES);
            }
            for (final String row : rows)
            {
                for (final String other : List.of(StoreServer.NAME, EtcdCluster.NAME, HazelcastCluster.NAME))
                {
                    printRatio(out, row, other);
                }
            }
        }
    }

    private void printRatio(final PrintStream out, final String row, final String other)
    {
        final Optional<Spread> rate = ratio(row, other, Turn::perSecond);
        if (rate.isPresent())
        {
            out.printf("| %s / %s | %s | %s | %s |%n", row, other, text(rate),
                text(ratio(row, other, Turn::p50Ns)), text(ratio(row, other, Turn::p99Ns)));
        }
    }

    private Optional<Spread> ratio(final String row, final String other, final ToDoubleFunction<Turn> number)
    {
        return table.reached(Asked.most("", row(row, StoreCluster.NAME), row(row, other), number, Double.NaN));
    }

    private static String text(final Optional<Spread> ratio)
    {
        return ratio.filter((spread) -> !Double.isNaN(spread.median())).map((spread) -> String.format(
            Locale.ROOT, "%.3g (%.3g to %.3g)", spread.median(), spread.least(), spread.most())).orElse(NONE);
    }
}
