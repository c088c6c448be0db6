package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.onesided.client.exceptions.StoreException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures a cluster of three beside a server that is alone, three members of etcd, and three of Hazelcast, and prints
 * what was measured and what is asked. Asserts no time.
 */
@Command(name = "tests/run clusters", sortOptions = false)
public final class ClustersBenchmark implements Callable<Integer>
{
    private static final List<String> SYSTEMS =
        List.of(StoreCluster.NAME, StoreServer.NAME, EtcdCluster.NAME, HazelcastCluster.NAME);
    private static final List<String> DEVICES = List.of("shm", "tcp");
    private static final int ROUNDS = 9;
    private static final int MILLIS = 1000;
    private static final int QUICK_MILLIS = 200;
    /** Three JVMs on few cores take long to compile what they do. */
    private static final int WARM_UP_MILLIS = 10_000;
    private static final long RECORDS = 100_000;
    private static final long QUICK_RECORDS = 2_000;
    private static final long MOST_RECORDS = 1_000_000;
    private static final int THREADS = 4;
    private static final int PARTITIONS = 8;
    private static final int MOST_PARTITIONS = 64;
    private static final int MOST_THREADS = 64;
    private static final int IDLE_SECONDS = 30;
    private static final int MOST_SECONDS = 600;
    private static final int MOST_ROUNDS = 1000;
    private static final int MOST_MILLIS = 60_000;

    @Option(names = "--rounds")
    private Integer rounds;

    @Option(names = "--millis")
    private Integer millis;

    @Option(names = "--warm-up")
    private Integer warmUp;

    @Option(names = "--records")
    private Long records;

    @Option(names = "--partitions")
    private int partitions = PARTITIONS;

    @Option(names = "--threads")
    private int threads = THREADS;

    @Option(names = "--idle")
    private Integer idle;

    @Option(names = "--quick")
    private boolean isQuick;

    @Option(names = "--device")
    private String device = DEVICES.get(0);

    @Option(names = "--only", split = ",")
    private List<String> only = SYSTEMS;

    @Option(names = "--dir")
    private Path dir;

    @Option(names = "--root", hidden = true, required = true)
    private Path root;

    /**
     * Runs the benchmark.
     *
     * @param arguments see {@code --help}.
     */
    public static void main(final String[] arguments)
    {
        System.exit(run(List.of(arguments)));
    }

    static int run(final List<String> arguments)
    {
        return new CommandLine(new ClustersBenchmark())
            .setParameterExceptionHandler((e, args) -> refuse(e.getMessage()))
            .setExecutionExceptionHandler((e, line, parsed) ->
            {
                System.err.println("clusters: " +
                    (e instanceof IOException || e instanceof StoreException ? e.getMessage() : e));
                return 1;
            })
            .execute(arguments.toArray(new String[0]));
    }

    private static int refuse(final String message)
    {
        System.err.println("clusters: " + message + "; see tests/run clusters --help");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() throws IOException
    {
        final String wrong = wrong();
        if (wrong != null)
        {
            return refuse(wrong);
        }
        if (only.contains(EtcdCluster.NAME) && PeerServer.find(EtcdCluster.NAME).isEmpty())
        {
            throw new IOException("etcd is not installed: apt-get install " + EtcdCluster.PACKAGE +
                ", or name the other systems, as with --only cluster,server,hazelcast");
        }
        final Path folder = Files.createTempDirectory(
            dir != null ? dir.toAbsolutePath() : DurabilityBenchmark.diskFolder().toAbsolutePath(),
            "onesided-clusters");
        final TurnTable table = new TurnTable();
        final ProcessorTimes times = new ProcessorTimes();
        final ClustersReport report = new ClustersReport(table);
        final List<ComparedSystem> systems = new ArrayList<>();
        try (Lab lab = new Lab(root.resolve("tests/peers/target"), List.of()))
        {
            lab.addFolder(folder);
            final ClustersSettings settings = settings(folder);
            printHead(settings);
            start(lab, settings, systems);
            final ComparedSystems compared = new ComparedSystems(settings, systems, report, times);
            try
            {
                compared.run();
            }
            finally
            {
                // What was measured before a failure must not be lost with it.
                print(report, times, compared.workloads());
            }
            if (settings.idleSeconds() > 0)
            {
                System.out.println();
                compared.printIdle(System.out);
            }
        }
        return 0;
    }

    /** What is wrong with the options, or null. */
    private String wrong()
    {
        for (final String system : only)
        {
            if (!SYSTEMS.contains(system))
            {
                return "no such system: --only=" + system + ", there are: " + SYSTEMS;
            }
        }
        if (!DEVICES.contains(device))
        {
            return "no such device: --device=" + device + ", there are: " + DEVICES;
        }
        if (dir != null && !Files.isDirectory(dir))
        {
            return "no such directory: --dir=" + dir;
        }
        return firstWrong(
            range("--rounds", rounds, 1, MOST_ROUNDS), range("--millis", millis, 1, MOST_MILLIS),
            range("--warm-up", warmUp, 1, MOST_MILLIS), range("--records", records, 1, MOST_RECORDS),
            range("--partitions", partitions, 1, MOST_PARTITIONS), range("--threads", threads, 1, MOST_THREADS),
            range("--idle", idle, 0, MOST_SECONDS));
    }

    private static String firstWrong(final String... all)
    {
        for (final String each : all)
        {
            if (each != null)
            {
                return each;
            }
        }
        return null;
    }

    private static String range(final String option, final Number value, final long least, final long most)
    {
        return value == null || value.longValue() >= least && value.longValue() <= most ? null :
            "out of range: " + option + "=" + value + ", allowed are " + least + " to " + most;
    }

    private ClustersSettings settings(final Path folder)
    {
        return new ClustersSettings(
            folder, device, partitions, rounds != null ? rounds : isQuick ? 1 : ROUNDS,
            millis != null ? millis : isQuick ? QUICK_MILLIS : MILLIS,
            warmUp != null ? warmUp : isQuick ? QUICK_MILLIS : WARM_UP_MILLIS,
            records != null ? records : isQuick ? QUICK_RECORDS : RECORDS, threads,
            idle != null ? idle : isQuick ? 1 : IDLE_SECONDS, only);
    }

    private static void start(final Lab lab, final ClustersSettings settings, final List<ComparedSystem> systems)
        throws IOException
    {
        if (settings.wants(StoreCluster.NAME))
        {
            systems.add(StoreCluster.start(lab, settings));
        }
        if (settings.wants(StoreServer.NAME))
        {
            systems.add(StoreServer.start(lab, settings));
        }
        if (settings.wants(EtcdCluster.NAME))
        {
            systems.add(EtcdCluster.start(lab, settings, PeerServer.find(EtcdCluster.NAME).orElseThrow()));
        }
        if (settings.wants(HazelcastCluster.NAME))
        {
            systems.add(HazelcastCluster.start(lab, settings));
        }
        for (final ComparedSystem system : systems)
        {
            System.out.println("- " + system.name() + ": " + system.promise());
        }
    }

    private static void printHead(final ClustersSettings settings) throws IOException
    {
        System.out.printf(
            "Keys of 16 bytes, values of %d, %,d records; %d rounds of %d ms; YCSB's workloads by %d threads; " +
            "onesided with %d partitions, over %s; all data on %s. Machine: %s, load average before the run: %s%n",
            RecordAccess.VALUE_LENGTH, settings.records(), settings.rounds(), settings.millis(), settings.threads(),
            settings.partitions(), settings.device(), Files.getFileStore(settings.folder()).type(), Machine.facts(),
            Machine.load());
    }

    private static void print(final ClustersReport report, final ProcessorTimes times, final List<Workload> workloads)
    {
        System.out.println();
        report.print(System.out, workloads);
        System.out.println();
        times.print(System.out);
    }
}
