package org.onesided.powercut;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.server.ServerException;

/**
 * All writes to a server's disk are logged while clients write, in the virtual machine, by the device mapper's target
 * log-writes. Then the disk is made anew as it was after one flush and another, and a server started on each.
 *
 * <p>The logged disk has two parts: a file system with the server's data, and a count for each sequence of writes.
 * After each acknowledgement, and before the next write begins, the count is written. So where the log has a count, it
 * has, further ahead, all that the disk knew when the write was acknowledged.
 */
public final class FlushPoints
{
    private static final String DISK = "/dev/vda";
    private static final String LOG = "/dev/vdb";
    private static final String REBUILT = "/dev/vdc";
    /** Takes what a start writes, so that the rebuilt disk stays as it is. */
    private static final String SCRATCH = "/dev/vdd";
    /** In sectors, of the file system and of the counts behind it. */
    private static final long LENGTH = 400L << 20 >> 9;
    private static final long COUNTS_LENGTH = 1L << 20 >> 9;
    private static final long SECTOR = 512;
    private static final String READY = "ready";
    private static final long WAIT_SECONDS = 60;
    private static final int MAX_TOLD = 3;
    /** Of the virtual machine. */
    private static final int MOST_PROCESSORS = 4;

    private final int wanted;
    private final List<String> wrong = new ArrayList<>();
    private Writers writers;
    private int points;
    private int refused;
    private long entries;
    private long flushes;

    private FlushPoints(final int wanted)
    {
        this.wanted = wanted;
    }

    /**
     * @param arguments flush points at most, seconds of work, and a seed.
     * @throws IOException          if a device cannot be made.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        final String wrong = run(
            Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
        System.out.println(wrong.isEmpty() ? "good" : "FAILED\n" + wrong);
        System.exit(wrong.isEmpty() ? 0 : 1);
    }

    /** Runs; returns what is wrong, empty if nothing is. */
    static String run(final int points, final int seconds, final long seed) throws IOException, InterruptedException
    {
        final FlushPoints run = new FlushPoints(points);
        run.work(seconds, seed);
        System.out.printf("%,d writes acknowledged in %d s%n", run.writers.acknowledged(), seconds);
        if (run.wrong.isEmpty())
        {
            run.replay();
        }
        System.out.printf(
            "flush points: %d of %,d rebuilt, of a log of %,d entries; %,d writes acknowledged; %d starts refused; " +
                "%d violations; seed %d%n",
            run.points, run.flushes, run.entries, run.writers.acknowledged(), run.refused, run.wrong.size(), seed);
        return String.join("\n", run.wrong.subList(0, Math.min(MAX_TOLD, run.wrong.size())));
    }

    private void work(final int seconds, final long seed) throws IOException, InterruptedException
    {
        // Flushes of two processors may get into the log in another order than they were begun in, and then a flush has
        // not all before it that it covers.
        processors("0");
        Commands.run("dmsetup", "create", "logged", "--table",
            "0 " + (LENGTH + COUNTS_LENGTH) + " log-writes " + DISK + " " + LOG);
        Commands.run("dmsetup", "create", "counts", "--table",
            "0 " + COUNTS_LENGTH + " linear /dev/mapper/logged " + LENGTH);
        try (MappedDisk files = new MappedDisk("files", "0 " + LENGTH + " linear /dev/mapper/logged 0"))
        {
            files.mount();
            try (Counters counters =
                new Counters(Path.of("/dev/mapper/counts"), GuestServer.WRITERS * GuestServer.SHARDS);
                GuestServer server = new GuestServer(files.folder().resolve("data"), false);
                Writers made = new Writers(
                    server.client(), GuestServer.WRITERS,
                    sequence -> counters.write(sequence.writer() - 1, sequence.acknowledged()), seed))
            {
                writers = made;
                Commands.run("dmsetup", "message", "logged", "0", "mark", READY);
                writers.go();
                // The second snapshot purges the log up to the first one.
                for (int i = 0; i < 3; i++)
                {
                    TimeUnit.MILLISECONDS.sleep(TimeUnit.SECONDS.toMillis(seconds) / 3);
                    server.client().snapshot();
                }
                writers.pause();
                final String hang = writers.awaitIdle(WAIT_SECONDS);
                if (hang != null)
                {
                    wrong.add(hang);
                }
                writers.failures().forEach(failure -> wrong.add("a write failed: " + failure));
            }
        }
        Commands.run("dmsetup", "remove", "--retry", "counts");
        Commands.run("dmsetup", "remove", "--retry", "logged");
        processors("1");
    }

    /** Switches all processors but one on or off. */
    private static void processors(final String state) throws IOException
    {
        for (int i = 1; i < MOST_PROCESSORS; i++)
        {
            final Path online = Path.of("/sys/devices/system/cpu/cpu" + i + "/online");
            if (Files.exists(online))
            {
                Files.writeString(online, state);
            }
        }
    }

    private void replay() throws IOException
    {
        try (WriteLog log = new WriteLog(Path.of(LOG));
            FileChannel disk = FileChannel.open(
                Path.of(REBUILT), StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            long ready = 0;
            while (log.next())
            {
                entries++;
                ready = log.mark().equals(READY) ? log.index() : ready;
                flushes += ready > 0 && log.isFlush() ? 1 : 0;
            }
            log.rewind();
            long flush = 0;
            while (log.next())
            {
                log.apply(disk);
                if (log.index() > ready && log.isFlush())
                {
                    // Evenly, the last one among them.
                    final boolean isWanted = flush * wanted / flushes != (flush + 1) * wanted / flushes;
                    flush++;
                    if (isWanted || wanted >= flushes)
                    {
                        disk.force(true);
                        start(disk, log.index());
                    }
                }
            }
        }
    }

    /** Starts a server on the disk as it is now. */
    private void start(final FileChannel disk, final long entry) throws IOException
    {
        points++;
        final List<Sequence> sequences = writers.sequences();
        final long[] counts = new long[sequences.size()];
        for (int i = 0; i < counts.length; i++)
        {
            counts[i] = Counters.read(disk, LENGTH * SECTOR, i);
        }
        try (MappedDisk state = new MappedDisk(
            "state", "0 " + LENGTH + " snapshot " + REBUILT + " " + SCRATCH + " N 16"))
        {
            state.mount();
            try (GuestServer server = new GuestServer(state.folder().resolve("data"), false))
            {
                final List<long[]> held = writers.look(server.client());
                for (int i = 0; i < counts.length; i++)
                {
                    final Sequence.Left left = sequences.get(i).left(held.get(i), Long.MAX_VALUE >> 1);
                    if (left.most() < counts[i])
                    {
                        wrong.add("entry " + entry + ": acknowledged by then " + counts[i] + ": " +
                            sequences.get(i).text(held.get(i), left));
                    }
                }
            }
            catch (final ServerException e)
            {
                refused++;
                wrong.add("entry " + entry + ": start was refused: " + e.getMessage());
            }
            state.unmount();
        }
    }
}
