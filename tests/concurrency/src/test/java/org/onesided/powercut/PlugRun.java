package org.onesided.powercut;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.Waiting;
import org.onesided.restarts.PluggedServer;
import org.onesided.testing.Folders;
import org.onesided.testing.LoggedErrors;

/**
 * Pulls the plug of a server's virtual machine again and again while clients write, and looks after each cut at what is
 * left.
 */
public final class PlugRun
{
    private static final int WRITERS = 8;
    private static final long DEADLINE_SECONDS = 300;
    private static final int LEAST_MS = 200;
    private static final int MOST_MS = 10_000;
    /** One cut of so many comes during a snapshot, if that takes long enough. */
    private static final int SNAPSHOT_ODDS = 3;
    private static final int SNAPSHOT_MS = 500;
    /** One cut of so many is followed by another one, at any moment of the start. */
    private static final int EARLY_ODDS = 4;
    private static final int EARLIEST_MS = 2000;
    private static final int LATEST_MS = 20_000;
    private static final int LOG_LINES = 30;

    private final boolean isStrict;
    private final int wanted;
    private final long seed;
    private final SplittableRandom random;
    private final AtomicInteger lives = new AtomicInteger();
    private int cuts;
    private int early;
    private int looks;

    private PlugRun(final boolean isStrict, final int wanted, final long seed)
    {
        this.isStrict = isStrict;
        this.wanted = wanted;
        this.seed = seed;
        random = new SplittableRandom(seed);
    }

    /**
     * @param arguments those that {@code tests/run plug --help} shows.
     * @throws IOException          if a file or process cannot be had.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        int cuts = 30;
        long seed = System.nanoTime() & 0xFFFF_FFFFL;
        String sync = "always,interval";
        for (int i = 0; i < arguments.length; i++)
        {
            switch (arguments[i])
            {
                case "--cuts" -> cuts = Integer.parseInt(arguments[++i]);
                case "--seed" -> seed = Long.parseLong(arguments[++i]);
                case "--sync" -> sync = arguments[++i];
                default -> throw new IllegalArgumentException("unknown argument: argument=" + arguments[i]);
            }
        }
        boolean isGood = true;
        for (final String mode : sync.split(","))
        {
            isGood &= new PlugRun(mode.equals("always"), cuts, seed).isGood(mode);
        }
        System.exit(isGood ? 0 : 1);
    }

    private boolean isGood(final String sync) throws IOException, InterruptedException
    {
        final Path folder = Files.createTempDirectory("plug");
        final Path log = folder.resolve("server.log");
        final List<String> options = List.of(
            "--sync", sync, "--snapshot-log", "16m", "--memory", "48m", "--memory-initial", "1k", "--shards", "2",
            "--handshake-timeout", "60s", "--spin", "never", "--lease", "10m", "--room-wait", "60s");
        try (PluggedServer server = new PluggedServer(options, log, folder))
        {
            server.start();
            server.awaitReady();
            final long startNs = System.nanoTime();
            String wrong;
            try (StoreClient client = client(server);
                Writers writers = new Writers(client, WRITERS, sequence -> { }, seed))
            {
                try
                {
                    wrong = cutAll(server, writers);
                }
                catch (final StoreException | IOException e)
                {
                    wrong = "run ended before its time: " + e;
                }
                finally
                {
                    writers.pause();
                }
                final String error = Files.readAllLines(log).stream().filter(LoggedErrors::isError).findFirst()
                    .map(line -> "server logged an error: " + line).orElse("");
                wrong = wrong.isEmpty() ? error : wrong;
                System.out.printf(
                    "%s: %,d operations in %.1f s; %d power cuts, %d of them before the server was ready; " +
                        "%,d acknowledged writes were lost, the oldest %.3f s before its cut; " +
                        "clients were told of %d new lives; seed %d: %s%n",
                    sync, writers.acknowledged(), (System.nanoTime() - startNs) / 1e9, cuts, early,
                    writers.sums().lost(), writers.sums().lostSeconds(), lives.get(), seed,
                    wrong.isEmpty() ? "consistent" : "FAILED");
            }
            if (!wrong.isEmpty())
            {
                final List<String> logged = Files.readAllLines(log);
                System.out.println(wrong + "\nthe server's log ends so:\n" + String.join("\n",
                    logged.subList(Math.max(0, logged.size() - LOG_LINES), logged.size())));
            }
            return wrong.isEmpty();
        }
        finally
        {
            Folders.delete(folder);
        }
    }

    private StoreClient client(final PluggedServer server)
    {
        return StoreClient.builder().server(server.address()).token(server.token()).device("tcp")
            .deadline(Duration.ofSeconds(DEADLINE_SECONDS)).maxSessions(WRITERS + 2).waiting(Waiting.SLEEPING)
            .onServerLife((before, now) -> lives.incrementAndGet()).build();
    }

    private String cutAll(final PluggedServer server, final Writers writers) throws IOException, InterruptedException
    {
        String wrong = "";
        while (cuts < wanted && wrong.isEmpty())
        {
            writers.go();
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LEAST_MS, MOST_MS));
            if (random.nextInt(SNAPSHOT_ODDS) == 0)
            {
                try (StoreClient client = client(server))
                {
                    client.snapshot();
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(SNAPSHOT_MS));
                }
            }
            if (!writers.failures().isEmpty())
            {
                return "a write failed while the machine ran: " + writers.failures().get(0);
            }
            writers.pause();
            server.kill();
            cuts++;
            final long cutNs = System.nanoTime();
            server.start();
            if (random.nextInt(EARLY_ODDS) == 0 && cuts < wanted)
            {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(EARLIEST_MS, LATEST_MS));
                early += server.isReady() ? 0 : 1;
                server.kill();
                cuts++;
                server.start();
            }
            final long startMs = server.awaitReady();
            wrong = afterCut(server, writers, cutNs);
            System.err.printf("cut %d: ready after %.1f s, %,d writes acknowledged so far, %,d lost%n",
                cuts, startMs / 1e3, writers.acknowledged(), writers.sums().lost());
            looks++;
        }
        return wrong.isEmpty() && !isStrict && lives.get() < looks ?
            "clients were not told that writes may be missing: times=" + lives.get() + " wanted=" + looks : wrong;
    }

    private String afterCut(final PluggedServer server, final Writers writers, final long cutNs)
        throws InterruptedException
    {
        final String hang = writers.awaitIdle(DEADLINE_SECONDS);
        if (hang != null)
        {
            return hang;
        }
        if (isStrict && !writers.failures().isEmpty())
        {
            return "a write failed although its session could be resumed: " + writers.failures().get(0);
        }
        final int livesNow = lives.get();
        if (isStrict && livesNow > 0)
        {
            return "clients were told that writes may be missing: times=" + livesNow;
        }
        try (StoreClient client = client(server))
        {
            return writers.check(client, isStrict, cutNs);
        }
    }
}
