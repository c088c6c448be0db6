package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.onesided.endtoend.ServerProcess;
import org.onesided.peers.Records;
import org.onesided.tools.text.Table;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures onesided beside what users would take instead, all in one run, in rounds in which each system has its turn.
 */
@Command(
    name = "tests/benchmark",
    description = "Measures onesided beside Chronicle Map and a plain copy, and prints ratios.",
    mixinStandardHelpOptions = true)
public final class PeerBenchmark implements Callable<Integer>
{
    private static final String OURS = "onesided";
    private static final String COPY = "plain copy";
    private static final String CHRONICLE = "Chronicle Map";
    private static final int VALUE_LENGTH = 100;

    @Option(names = "--records", paramLabel = "N", description = "Records of 16 + 100 bytes; default 1000000.")
    private long records = 1_000_000;

    @Option(names = "--rounds", paramLabel = "N", description = "Turns of each system; default 9.")
    private int rounds = 9;

    @Option(names = "--millis", paramLabel = "N", description = "Length of each turn; default 300.")
    private int millis = 300;

    @Option(names = "--peers", paramLabel = "DIR", hidden = true, required = true)
    private Path peersTarget;

    private PeerBenchmark()
    {
    }

    /**
     * Runs the benchmark.
     *
     * @param arguments see {@code --help}.
     */
    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new PeerBenchmark()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException
    {
        try (Lab lab = new Lab(peersTarget))
        {
            run(lab);
        }
        return 0;
    }

    private void run(final Lab lab) throws IOException
    {
        final ServerProcess server = lab.server(records * 201 + (1 << 20), Records.KEY_LENGTH + VALUE_LENGTH);
        final WorkerProcess ours = lab.own(StoreSubject.class, "server=" + server.address(), "waiting=spinning");
        final WorkerProcess copy = lab.own(CopySubject.class);
        final WorkerProcess chronicle = lab.peer("org.onesided.peers.ChronicleMapSubject");
        for (final WorkerProcess worker : List.of(ours, copy, chronicle))
        {
            worker.tell("load count=" + records + " value=" + VALUE_LENGTH);
        }
        final Contest get = new Contest("GET", "operation=get batch=16", millis)
            .with(OURS, ours).with(COPY, copy).with(CHRONICLE, chronicle);
        final Contest getAll = new Contest("getAll of 64, per key", "operation=getAll keys=64 batch=1", millis)
            .with(OURS, ours).with(CHRONICLE, chronicle);
        final Contest put = new Contest("PUT", "operation=put batch=16", millis)
            .with(OURS, ours).with(CHRONICLE, chronicle);
        final List<Contest> contests = List.of(get, getAll, put);
        for (final Contest contest : contests)
        {
            contest.warmUp(2000);
        }
        for (int round = 0; round < rounds; round++)
        {
            for (final Contest contest : contests)
            {
                contest.round(round);
            }
        }
        final List<Comparison> comparisons = new ArrayList<>();
        comparisons.add(Comparison.of("GET / Chronicle Map", get.of(OURS), get.of(CHRONICLE), 0.8));
        comparisons.add(Comparison.of("GET / plain copy", get.of(OURS), get.of(COPY), 2.5));
        comparisons.add(Comparison.of("getAll / Chronicle Map", getAll.of(OURS), getAll.of(CHRONICLE), 0.3));
        comparisons.add(Comparison.of("PUT / Chronicle Map", put.of(OURS), put.of(CHRONICLE), 4));
        final Table table = new Table("", "ours", "theirs", "ratio", "range", "target", "");
        for (final Comparison c : comparisons)
        {
            table.row(c.name(), form(c.ours()), form(c.theirs()), form(c.ratio().median()),
                form(c.ratio().least()) + " to " + form(c.ratio().most()), form(c.target()),
                c.isMet() ? "met" : "missed");
        }
        System.out.print(table);
    }

    private static String form(final double value)
    {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
    }
}
