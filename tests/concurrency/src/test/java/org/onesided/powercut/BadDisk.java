package org.onesided.powercut;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.server.ServerException;
import org.onesided.tools.kvctl.Kvctl;

/**
 * A disk that goes bad under a server, in the virtual machine: one that reports errors, and one that drops writes and
 * says nothing, by the device mapper's target flakey.
 */
public final class BadDisk
{
    /** The last one: others may need the first ones as they are. */
    private static final String DISK = Files.exists(Path.of("/dev/vdd")) ? "/dev/vdd" : "/dev/vda";
    /** In sectors. What is behind that is for others. */
    private static final long LENGTH = 400L << 20 >> 9;
    private static final String HEALTHY = "0 " + LENGTH + " linear " + DISK + " 0";
    private static final String FAILING = "0 " + LENGTH + " flakey " + DISK + " 0 0 86400 1 error_writes";
    private static final String DROPPING = "0 " + LENGTH + " flakey " + DISK + " 0 0 86400 1 drop_writes";
    private static final long WAIT_SECONDS = 60;
    private static final int STORAGE_FAILED = 8;
    private static final String PROBE = "probe-";
    private static final int PROBES = 10;

    private final long seed;
    private final SplittableRandom random;
    private long acknowledged;
    /** Probes of which nobody knows whether they took effect. */
    private int unknown;

    private BadDisk(final long seed)
    {
        this.seed = seed;
        random = new SplittableRandom(seed);
    }

    /**
     * @param arguments rounds with errors, rounds with dropped writes, and a seed.
     * @throws IOException          if a device cannot be made.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        final String wrong = run(
            Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
        System.out.println(wrong.isEmpty() ? "good" : "FAILED\n" + wrong);
        // Threads of a log that failed may be left.
        System.out.flush();
        Runtime.getRuntime().halt(wrong.isEmpty() ? 0 : 1);
    }

    /** Runs; returns what is wrong, empty if nothing is. */
    static String run(final int errors, final int drops, final long seed) throws IOException, InterruptedException
    {
        Commands.run("mkfs.ext4", "-q", "-F", "-b", "4096", DISK, (LENGTH >> 1) + "k");
        final BadDisk bad = new BadDisk(seed);
        final Drops sum = new Drops();
        String wrong = "";
        for (int i = 0; i < errors && wrong.isEmpty(); i++)
        {
            wrong = bad.withErrors("errors" + i);
        }
        if (errors > 0)
        {
            System.out.printf("errors: %d rounds, %,d writes acknowledged; seed %d%n", errors, bad.acknowledged, seed);
        }
        bad.acknowledged = 0;
        for (int i = 0; i < drops && wrong.isEmpty(); i++)
        {
            wrong = bad.withDrops("drops" + i, i % 2 == 1, sum);
        }
        if (drops > 0)
        {
            System.out.printf(
                "dropped writes: %d rounds, %,d writes acknowledged, %,d of them lost; %d starts refused, %d of them " +
                    "with --discard-tail, too; %d file systems repaired; seed %d%n",
                drops, bad.acknowledged, sum.lost, sum.refused, sum.refusedTwice, sum.repaired, seed);
        }
        return wrong;
    }

    private static final class Drops
    {
        private long lost;
        private int refused;
        private int refusedTwice;
        private int repaired;
    }

    /** Errors of the disk: writes are refused, lookups go on, and a start with a good disk has all. */
    private String withErrors(final String name) throws IOException, InterruptedException
    {
        try (MappedDisk disk = new MappedDisk(name, HEALTHY))
        {
            disk.mount();
            final Path data = disk.folder().resolve(name);
            final GuestServer server = new GuestServer(data, false);
            final Writers writers = new Writers(server.client(), GuestServer.WRITERS, sequence -> { }, seed);
            String wrong;
            try (server; writers)
            {
                writers.go();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(1000, 4000));
                disk.change(FAILING);
                System.out.println("errors: the disk fails");
                wrong = refused(writers, server);
                if (wrong.isEmpty())
                {
                    disk.change(HEALTHY);
                    // The log met an error that cannot be undone.
                    wrong = refusal(server);
                }
            }
            disk.unmount();
            disk.replace(HEALTHY);
            disk.repair();
            disk.mount();
            if (wrong.isEmpty())
            {
                try (GuestServer again = new GuestServer(data, false))
                {
                    wrong = writers.check(again.client(), true, Long.MAX_VALUE >> 1);
                    wrong = wrong.isEmpty() ? refusedIsThere(again.client()) : wrong;
                    final int exitCode = kvctl(again, "put", "key", "value");
                    wrong = exitCode == 0 ? wrong : "put fails with a good disk: exitCode=" + exitCode;
                }
            }
            acknowledged += writers.acknowledged();
            return wrong;
        }
    }

    private String refusedIsThere(final StoreClient client)
    {
        int there = 0;
        for (int i = 0; i < PROBES; i++)
        {
            there += client.contains(PROBE + i) ? 1 : 0;
        }
        // Those of unknown fate.
        return there <= unknown ? "" : "writes that were refused took effect: there=" + there + " unknown=" + unknown;
    }

    private String refused(final Writers writers, final GuestServer server) throws InterruptedException
    {
        final String hang = writers.awaitIdle(WAIT_SECONDS);
        System.out.println("errors: no writer writes any more: " + writers.failures());
        if (hang != null)
        {
            return hang;
        }
        // A write that was on its way when the disk failed is answered after the restart only.
        final List<StoreException> others = writers.failures().stream()
            .filter(failure -> !(failure instanceof StoreStorageException) && failure.writeFate() != WriteFate.UNKNOWN)
            .toList();
        if (!others.isEmpty())
        {
            return "a write failed otherwise than by the disk: " + others.get(0);
        }
        final String late = refuseAll(server.client());
        if (!late.isEmpty())
        {
            return late;
        }
        final String wrong = writers.compare(writers.look(server.client()), true, Long.MAX_VALUE >> 1);
        return wrong.isEmpty() ? refusal(server) : "while the disk fails: " + wrong;
    }

    /** Writes to both shards; the first write to each may be the one by which its log fails. */
    private String refuseAll(final StoreClient client)
    {
        int refused = 0;
        unknown = 0;
        for (int i = 0; i < PROBES; i++)
        {
            try
            {
                client.put(PROBE + i, "must not be there");
                return "put was not refused for the disk: key=" + PROBE + i;
            }
            catch (final StoreStorageException e)
            {
                refused++;
            }
            catch (final StoreDeadlineException e)
            {
                unknown++;
            }
        }
        return refused >= PROBES - GuestServer.SHARDS ? "" : "puts were not refused for the disk: refused=" + refused;
    }

    private static String refusal(final GuestServer server)
    {
        final int exitCode = kvctl(server, "put", "key", "value");
        System.out.println("errors: kvctl put ended with exit code " + exitCode);
        return exitCode == STORAGE_FAILED ? "" : "put was not refused for the disk: exitCode=" + exitCode;
    }

    private static int kvctl(final GuestServer server, final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--server", server.address(), "--device", "shm", "--deadline", "60s"));
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        return Kvctl.run(all, new ByteArrayInputStream(new byte[0]), output, new PrintStream(output, true, UTF_8),
            Map.of());
    }

    /**
     * A disk that says that it has what it drops, and then loses its power: a beginning of the writes is left, or the
     * start is refused.
     *
     * @param isPatchy whether it works again for a while before that.
     */
    private String withDrops(final String name, final boolean isPatchy, final Drops sum)
        throws IOException, InterruptedException
    {
        System.out.println(name);
        try (MappedDisk disk = new MappedDisk(name, HEALTHY))
        {
            disk.mount();
            final Path data = disk.folder().resolve(name);
            final GuestServer server = new GuestServer(data, false);
            final Writers writers = new Writers(server.client(), GuestServer.WRITERS, sequence -> { }, seed);
            final long cutNs;
            String wrong;
            try (server; writers)
            {
                Commands.run("sync");
                writers.go();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(500, 3000));
                disk.change(DROPPING);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(100, 2000));
                if (isPatchy)
                {
                    disk.change(HEALTHY);
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(100, 2000));
                    // From here on nothing reaches the disk: as if its power were cut.
                    disk.change(DROPPING);
                }
                writers.pause();
                wrong = writers.awaitIdle(WAIT_SECONDS);
                cutNs = System.nanoTime();
            }
            disk.unmount();
            disk.replace(HEALTHY);
            sum.repaired += disk.repair() ? 1 : 0;
            disk.mount();
            if (wrong == null)
            {
                wrong = afterDrops(writers, data, cutNs, sum);
            }
            acknowledged += writers.acknowledged();
            sum.lost += writers.sums().lost();
            return wrong;
        }
    }

    private static String afterDrops(final Writers writers, final Path data, final long cutNs, final Drops sum)
    {
        try (GuestServer again = new GuestServer(data, false))
        {
            return writers.check(again.client(), false, cutNs);
        }
        catch (final ServerException e)
        {
            sum.refused++;
            System.out.println("refused: " + e.getMessage());
            if (e.getMessage().lines().count() != 1)
            {
                return "a start was refused with more than a line: " + e.getMessage();
            }
        }
        try (GuestServer again = new GuestServer(data, true))
        {
            return writers.check(again.client(), false, cutNs);
        }
        catch (final ServerException e)
        {
            sum.refusedTwice++;
            System.out.println("refused with --discard-tail: " + e.getMessage());
            return "";
        }
    }
}
