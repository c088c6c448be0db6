package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.onesided.benchmark.peers.TurnTable.Asked;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures a store on disk beside the disk itself, Redis and etcd, and prints what was measured and what is asked.
 * Asserts no time.
 */
@Command(name = "tests/run durability", sortOptions = false)
public final class DurabilityBenchmark implements Callable<Integer>
{
    private static final List<String> PARTS = List.of(
        PutsOnDisk.DISK, PutsOnDisk.PUTS, PutsOnDisk.REDIS, PutsOnDisk.ETCD, PutsOnDisk.GETS,
        SnapshotsAndRestarts.SNAPSHOT, SnapshotsAndRestarts.RESTART);
    private static final int ROUNDS = 5;
    private static final int MILLIS = 1000;
    private static final int QUICK_MILLIS = 200;
    private static final int WARM_UP_MILLIS = 2000;
    private static final int QUICK_WARM_UP_MILLIS = 300;
    private static final long RECORDS = 1_000_000;
    private static final long QUICK_RECORDS = 50_000;
    private static final List<String> NO_DISKS = List.of("tmpfs", "ramfs");

    @Option(names = "--rounds")
    private Integer rounds;

    @Option(names = "--quick")
    private boolean isQuick;

    @Option(names = "--only", split = ",")
    private List<String> only = List.of();

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
        return new CommandLine(new DurabilityBenchmark())
            .setParameterExceptionHandler((e, args) -> refuse(e.getMessage()))
            .setExecutionExceptionHandler((e, line, parsed) ->
            {
                System.err.println("durability: " + (e instanceof IOException ? e.getMessage() : e));
                return 1;
            })
            .execute(arguments.toArray(new String[0]));
    }

    private static int refuse(final String message)
    {
        System.err.println("durability: " + message + "; see tests/run durability --help");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() throws IOException
    {
        for (final String part : only)
        {
            if (!PARTS.contains(part))
            {
                return refuse("no such part: --only=" + part + ", there are: " + PARTS);
            }
        }
        if (rounds != null && rounds < 1)
        {
            return refuse("at least one round is needed: --rounds=" + rounds);
        }
        if (dir != null && !Files.isDirectory(dir))
        {
            return refuse("no such directory: --dir=" + dir);
        }
        final Path folder = Files.createTempDirectory(dir != null ? dir : diskFolder(), "onesided-durability");
        final TurnTable table = new TurnTable();
        try (Lab lab = new Lab(root.resolve("tests/peers/target"), List.of()))
        {
            lab.addFolder(folder);
            final DurabilitySettings settings = settings(folder);
            printHead(settings);
            new PutsOnDisk(lab, settings, table).run();
            new SnapshotsAndRestarts(lab, settings, table).run();
        }
        finally
        {
            // What was measured before a failure must not be lost with it.
            print(table);
        }
        return 0;
    }

    private DurabilitySettings settings(final Path folder)
    {
        return new DurabilitySettings(
            folder, rounds != null ? rounds : isQuick ? 1 : ROUNDS, isQuick ? QUICK_MILLIS : MILLIS,
            isQuick ? QUICK_WARM_UP_MILLIS : WARM_UP_MILLIS, isQuick ? QUICK_RECORDS : RECORDS, only);
    }

    /** A folder for temporary files that is not in memory. */
    static Path diskFolder() throws IOException
    {
        final List<Path> candidates =
            List.of(Path.of(System.getProperty("java.io.tmpdir")), Path.of("/var/tmp"), Path.of(""));
        for (final Path candidate : candidates)
        {
            if (Files.isWritable(candidate) && isOnDisk(candidate))
            {
                return candidate;
            }
        }
        throw new IOException("name a directory on a disk with --dir: none of these is, candidates=" + candidates);
    }

    private static boolean isOnDisk(final Path folder) throws IOException
    {
        return !NO_DISKS.contains(Files.getFileStore(folder).type());
    }

    private static void printHead(final DurabilitySettings settings) throws IOException
    {
        final FileStore files = Files.getFileStore(settings.folder());
        System.out.printf(
            "Keys of %d bytes, values of %d; %d rounds of %d ms, %,d records for snapshots and restarts; " +
            "one shard over shm; all data on %s (%s). Machine: %s, load average before the run: %s%n",
            MeasuredStore.KEY_LENGTH, MeasuredStore.VALUE_LENGTH, settings.rounds(), settings.millis(),
            settings.records(), files.name(), files.type(), Machine.facts(), Machine.load());
        if (!isOnDisk(settings.folder()))
        {
            System.out.println("This is memory, not a disk: forcing it takes no time.");
        }
    }

    private static void print(final TurnTable table)
    {
        System.out.println();
        table.print(System.out);
        System.out.println();
        final List<Asked> asked = new ArrayList<>(PutsOnDisk.ASKED);
        asked.addAll(SnapshotsAndRestarts.ASKED);
        table.printAsked(System.out, asked);
        PutsOnDisk.printRemarks(table);
    }
}
