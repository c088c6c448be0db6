package org.onesided.linearizability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.testing.Folders;
import org.onesided.testing.HangGuard;

/**
 * A cluster to which a {@link Nemesis} does harm, clients that work all the while in processes of their own, and the
 * check of what they recorded.
 */
final class ClusterRun
{
    private static final long STEP = 500;
    private static final long DEADLINE_MS = 60_000;
    /** Of the last client: its writes may be of unknown fate. */
    private static final long IMPATIENCE_MS = 700;
    private static final int FINAL_WRITER = Values.MAX_WRITER - 1;
    private static final int LOG_LINES = 15;

    private final Settings settings;
    private final Path folder;
    private final List<String> failures = new ArrayList<>();
    private int kills;
    private int stops;
    private int ends;
    private int replacements;
    private int moves;
    private long failed;
    private long requests;
    private long scans;
    private double seconds;

    /**
     * What is to be done.
     *
     * @param device  of servers and clients.
     * @param members of the cluster.
     * @param harms   that the nemesis does.
     * @param pauseMs at most before each, in milliseconds.
     * @param least   operations of each thread at least.
     * @param seed    of all that is drawn.
     * @param clients processes. The last one is impatient.
     * @param threads of each.
     */
    record Settings(
        String device, int members, int harms, int pauseMs, long least, long seed, int clients, int threads)
    {
    }

    /**
     * What came of it.
     *
     * @param text       that says it.
     * @param operations that were checked.
     * @param isGood     whether nothing was wrong.
     */
    record Result(String text, long operations, boolean isGood)
    {
    }

    private ClusterRun(final Settings settings, final Path folder)
    {
        this.settings = settings;
        this.folder = folder;
    }

    /** Runs, with files in a temporary folder that is removed. */
    static Result of(final Settings settings) throws IOException
    {
        final Path folder = Files.createTempDirectory("cluster");
        try
        {
            return new ClusterRun(settings, folder).run();
        }
        finally
        {
            Folders.delete(folder);
        }
    }

    private Result run() throws IOException
    {
        final List<String> options = List.of("--device", settings.device(), "--memory", "256m",
            "--memory-initial", "1k", "--snapshot-log", "16m", "--spin", "never", "--handshake-timeout", "60s",
            "--lease", "30s");
        try (ClusterServers servers = new ClusterServers(settings.members(), folder, options))
        {
            for (int i = 0; i < servers.count(); i++)
            {
                servers.start(i);
            }
            for (int i = 0; i < servers.count(); i++)
            {
                servers.awaitReady(i);
            }
            work(servers);
            lookAtTheEnd(servers);
            final List<Integer> codes = servers.terminate();
            if (codes.stream().anyMatch((code) -> code != 0))
            {
                failures.add("members ended with errors: exitCodes=" + codes);
            }
            for (int i = 0; i < servers.count(); i++)
            {
                final List<String> log = Files.readAllLines(servers.log(i));
                log.stream().filter((line) -> line.contains(" ERROR ")).findFirst()
                    .ifPresent((line) -> failures.add("a member logged an error: " + line));
            }
            return result(servers);
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
    }

    private Result result(final ClusterServers servers) throws IOException
    {
        final List<List<Operation>> histories = Histories.read(folder, ClusterWorkload.KEYS);
        final long operations = histories.stream().mapToLong(List::size).sum();
        final long unknown = histories.stream().flatMap(List::stream)
            .filter((operation) -> operation.fate() == Operation.Fate.UNKNOWN).count();
        final List<String> violations =
            Histories.violations(histories, ClusterWorkload.KEYS, ExpiryTimes.NONE);
        if (kills + stops + ends + replacements + moves < settings.harms())
        {
            failures.add("less harm was done than wanted: kills=" + kills + " stops=" + stops + " ends=" + ends +
                " replacements=" + replacements + " moves=" + moves);
        }
        final String lack = Minima.lack(operations, requests, scans);
        if (violations.isEmpty() && failures.isEmpty() && lack != null)
        {
            failures.add(lack);
        }
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
            "cluster: device=%s members=%d kills=%d stops=%d ends=%d replaced=%d moved=%d operations=%d requests=%d " +
                "scans=%d unknown=%d failed=%d violations=%d failures=%d seconds=%.1f seed=%d",
            settings.device(), settings.members(), kills, stops, ends, replacements, moves, operations,
            requests, scans, unknown, failed, violations.size(), failures.size(), seconds, settings.seed()));
        violations.forEach((violation) -> text.append('\n').append(violation));
        failures.forEach((failure) -> text.append('\n').append(failure));
        final boolean isGood = violations.isEmpty() && failures.isEmpty();
        for (int i = 0; !isGood && i < servers.count(); i++)
        {
            final List<String> log = Files.readAllLines(servers.log(i));
            text.append("\nlog of member ").append(i + 1).append(" ends so:\n")
                .append(String.join("\n", log.subList(Math.max(0, log.size() - LOG_LINES), log.size())));
        }
        return new Result(text.toString(), operations, isGood);
    }

    private boolean isImpatient(final int client)
    {
        return client > 0 && client == settings.clients() - 1;
    }

    private void work(final ClusterServers servers) throws IOException
    {
        final List<ClientHandle> clients = new ArrayList<>();
        try
        {
            for (int i = 0; i < settings.clients(); i++)
            {
                final long deadlineMs = isImpatient(i) ? IMPATIENCE_MS :
                    TimeUnit.SECONDS.toMillis(HangGuard.seconds(DEADLINE_MS / 1000));
                clients.add(ClientHandle.inProcess(ClusterClientProcess.class, "client " + i,
                    List.of("-XX:TieredStopAtLevel=1"), List.of(
                    servers.addresses(), settings.device(), Integer.toString(i * settings.threads()),
                    Integer.toString(settings.threads()), Long.toString(settings.seed()), folder.toString(),
                    Long.toString(deadlineMs))));
            }
            checkClocks(clients);
            final long beginNs = System.nanoTime();
            final Nemesis nemesis = new Nemesis(servers, settings.harms(), settings.pauseMs(), settings.seed());
            try
            {
                long operations = 0;
                do
                {
                    operations += STEP;
                    round(operations, clients);
                }
                while ((!nemesis.isDone() || operations < settings.least()) && failures.isEmpty());
            }
            finally
            {
                nemesis.close();
                kills = nemesis.kills();
                stops = nemesis.stops();
                ends = nemesis.ends();
                replacements = nemesis.replacements();
                moves = nemesis.moves();
                if (nemesis.failure() != null)
                {
                    failures.add(nemesis.failure());
                }
            }
            seconds = (System.nanoTime() - beginNs) / 1e9;
            checkClocks(clients);
        }
        finally
        {
            for (final ClientHandle client : clients)
            {
                client.close();
            }
        }
    }

    private void round(final long operations, final List<ClientHandle> clients) throws IOException
    {
        for (final ClientHandle client : clients)
        {
            client.tell("go " + operations);
        }
        failed = 0;
        requests = 0;
        scans = 0;
        for (int i = 0; i < clients.size(); i++)
        {
            final String[] words = clients.get(i).answer().split(" ", 5);
            final long count = Long.parseLong(words[1]);
            failed += count;
            requests += Long.parseLong(words[2]);
            scans += Long.parseLong(words[3]);
            if (words[4].startsWith("CRASH") || count > 0 && !isImpatient(i))
            {
                failures.add("client " + i + ": failures=" + count + " the last one: " + words[4]);
            }
        }
    }

    private void checkClocks(final List<ClientHandle> clients) throws IOException
    {
        for (final ClientHandle client : clients)
        {
            final String wrong = client.checkClock();
            if (wrong != null)
            {
                failures.add(wrong);
            }
        }
    }

    /** What is there in the end is what was acknowledged. */
    private void lookAtTheEnd(final ClusterServers servers) throws IOException
    {
        try (StoreClient client = StoreClient.builder().server(servers.addresses()).device(settings.device())
            .deadline(Duration.ofMillis(DEADLINE_MS)).build();
            Recorder recorder = new Recorder(folder.resolve(Histories.PREFIX + "last"), FINAL_WRITER))
        {
            final ClusterWorkload last = new ClusterWorkload(
                client, ClusterWorkload.keys(settings.seed()), recorder, settings.seed(), FINAL_WRITER);
            last.getEach();
            if (last.failures() > 0)
            {
                failures.add("lookups failed at the end: " + last.lastFailure().getMessage());
            }
        }
        catch (final StoreException e)
        {
            failures.add("nobody can look at the end: " + e.getMessage());
        }
    }
}
