package org.onesided.linearizability;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.read.SessionProbe;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;
import org.onesided.protocol.table.Superblock;
import org.onesided.restarts.KilledServer;
import org.onesided.testing.Folders;
import org.onesided.testing.HangGuard;
import org.onesided.testing.LoggedErrors;

/**
 * A server with a log on disk that is killed again and again, clients that work all the while in processes of their
 * own, and the check of what they recorded: across all restarts it must be linearizable.
 */
final class KillRun
{
    /** Operations of each session after which all sessions meet. */
    private static final long STEP = 200;
    private static final long MAX_SECONDS = 3000;
    /** Of a call, against hanging: many times as long as a server needs to come back. */
    private static final long DEADLINE_SECONDS = 240;
    /** Of a call whose failure does not matter. */
    private static final long SIDE_SECONDS = 20;
    private static final long IMPATIENCE_MS = 400;
    private static final long MIRROR = 16L << 20;
    /**
     * A session that not all shards had logged when the server died cannot be resumed (docs/durability.md), and a write
     * of it is of unknown fate. That is seldom: no more than so many count as such, and only if the server has said so.
     */
    private static final String FORGOTTEN = "the server does not know it any more";
    private static final String TOLD = "sessions end that not all shards had logged";
    private static final int MOST_FORGOTTEN = 2;
    private static final int LOG_LINES = 30;
    private static final int FINAL_WRITER = Values.MAX_WRITER - 1;
    /** Of {@link Growth}, for each kill. */
    private static final long OPERATIONS_PER_KILL = 3000;

    private final KillSettings settings;
    private final Path folder;
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private int kills;
    private int early;
    private long resumed;
    private long full;
    private long failed;
    private long reconnects;
    private long requests;
    private long scans;
    private int forgotten;
    private long evicted;
    private double runSeconds;
    /** Whether clients recorded all they did: otherwise there are values of which nobody knows who put them. */
    private volatile boolean isWhole = true;

    private KillRun(final KillSettings settings, final Path folder)
    {
        this.settings = settings;
        this.folder = folder;
    }

    /** Runs, with files in a temporary folder that is removed. */
    static KillResult of(final KillSettings settings) throws IOException
    {
        final Path folder = Files.createTempDirectory("kills");
        try
        {
            return new KillRun(settings, folder).run();
        }
        finally
        {
            Folders.delete(folder);
        }
    }

    private KillResult run() throws IOException
    {
        final Path log = folder.resolve("server.log");
        try (KilledServer server = settings.server(folder, log))
        {
            server.start();
            server.awaitReady();
            final Path keyFile = folder.resolve("keys");
            try (StoreClient client = client(server, DEADLINE_SECONDS);
                StoreSession session = client.openSession())
            {
                final Superblock table = new SessionProbe(session).superblock();
                Keys.write(Keys.choose(table, KillSettings.KEYS, settings.seed()), keyFile);
                if (settings.evicts())
                {
                    Tide.fill(client, Tide.LONG);
                    countEvicted(session);
                }
            }
            work(server, keyFile);
            if (failures.isEmpty())
            {
                lookAtTheEnd(server, keyFile);
            }
            final int exitCode = server.terminate();
            if (exitCode != 0)
            {
                failures.add("server ended with an error: exitCode=" + exitCode);
            }
        }
        catch (final StoreException | IOException e)
        {
            failures.add("run ended before its time: " + e);
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
        return result(Files.readAllLines(log));
    }

    private KillResult result(final List<String> logged) throws IOException
    {
        logged.stream().filter(LoggedErrors::isError).findFirst()
            .ifPresent(line -> failures.add("server logged an error: " + line));
        final List<List<Operation>> histories = isWhole ? Histories.read(folder, KillSettings.KEYS) : List.of();
        final ExpiryTimes times = settings.evicts() ? ExpiryTimes.evicting(ExpiryTimes.NONE) : ExpiryTimes.NONE;
        final List<String> violations = isWhole ?
            new ArrayList<>(Histories.violations(histories, KillSettings.KEYS, times)) : new ArrayList<>();
        final long partly = logged.stream().filter((line) -> line.contains(TOLD))
            .mapToLong((line) -> Long.parseLong(line.substring(line.lastIndexOf('=') + 1))).sum();
        if (forgotten > Math.min(partly, MOST_FORGOTTEN))
        {
            failures.add("sessions were forgotten for no reason: writes=" + forgotten + " sessions that not all " +
                "shards had logged=" + partly);
        }
        if (kills < settings.kills())
        {
            failures.add("server was killed less often than wanted: kills=" + kills);
        }
        final long operations = histories.stream().mapToLong(List::size).sum();
        final String lack = Minima.lack(operations, requests, scans);
        if (violations.isEmpty() && failures.isEmpty() && lack != null)
        {
            failures.add(lack);
        }
        if (!violations.isEmpty() || !failures.isEmpty())
        {
            final List<String> told = failures.isEmpty() ? violations : failures;
            final int last = told.size() - 1;
            told.set(last, told.get(last) + "\nthe server's log ends so:\n" +
                String.join("\n", logged.subList(Math.max(0, logged.size() - LOG_LINES), logged.size())));
        }
        return new KillResult(
            settings, kills, early, operations, requests, scans,
            count(histories, (operation) -> operation.fate() == Fate.UNKNOWN), full, failed, reconnects, resumed,
            evicted,
            count(histories, (operation) -> operation.kind() == Kind.PUT && operation.fate() == Fate.DONE &&
                Values.length(operation.value()) >= 1 << 20),
            runSeconds, List.copyOf(violations), List.copyOf(failures));
    }

    private static long count(
        final List<List<Operation>> histories, final Predicate<Operation> such)
    {
        return histories.stream().flatMap(List::stream).filter(such).count();
    }

    private StoreClient client(final KilledServer server, final long deadlineSeconds)
    {
        return StoreClient.builder().server(server.address()).token(server.token()).device(settings.device())
            .deadline(Duration.ofSeconds(HangGuard.seconds(deadlineSeconds))).build();
    }

    /** What is there in the end is what was acknowledged. */
    private void lookAtTheEnd(final KilledServer server, final Path keyFile) throws IOException
    {
        try (StoreClient client = client(server, DEADLINE_SECONDS);
            StoreSession session = client.openSession();
            Recorder recorder = new Recorder(folder.resolve(Histories.PREFIX + "last"), FINAL_WRITER))
        {
            final Workload last = new Workload(
                session, Keys.read(keyFile), recorder, Load.KILLS, settings.seed(), FINAL_WRITER);
            last.getEach();
            countEvicted(session);
            if (settings.evicts() && evicted == 0)
            {
                failures.add("no key was evicted");
            }
            if (last.failures() > 0)
            {
                failures.add("lookups failed at the end: " + last.lastFailure().getMessage());
            }
        }
    }

    private void countEvicted(final StoreSession session)
    {
        evicted += session.statistics().stream()
            .mapToLong((shard) -> shard.evictedForHeap() + shard.evictedForIndex()).sum();
    }

    private void work(final KilledServer server, final Path keyFile) throws IOException, InterruptedException
    {
        final List<ClientHandle> clients = new ArrayList<>();
        Thread guard = null;
        try
        {
            for (int i = 0; i < settings.clients(); i++)
            {
                clients.add(start(i, server, keyFile));
            }
            guard = guard(clients);
            checkClocks(clients);
            final long startNs = System.nanoTime();
            final Growth growth = new Growth(
                client(server, SIDE_SECONDS), OPERATIONS_PER_KILL * settings.kills(),
                () -> Long.MAX_VALUE >> 16);
            final Tide tide = new Tide(client(server, SIDE_SECONDS), settings.evicts() ? Tide.LONG : Tide.LENGTH);
            // Without a server, clients would wait until their deadlines, again and again.
            final Killer killer = new Killer(
                server, settings.kills(), settings.seed(), () -> clients.forEach(ClientHandle::kill));
            try
            {
                long operations = 0;
                do
                {
                    operations += STEP;
                    round(operations, clients);
                }
                while (!killer.isDone() && failures.isEmpty());
            }
            finally
            {
                killer.close();
                growth.close();
                tide.close();
                kills = killer.kills();
                early = killer.early();
                resumed = killer.resumed() + server.resumed();
                if (killer.failure() != null)
                {
                    failures.add(killer.failure());
                }
            }
            runSeconds = (System.nanoTime() - startNs) / 1e9;
            checkClocks(clients);
        }
        catch (final IOException e)
        {
            isWhole = false;
            failures.add("clients did not do their work: " + e.getMessage());
        }
        finally
        {
            if (guard != null)
            {
                guard.interrupt();
            }
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
        full = 0;
        failed = 0;
        reconnects = 0;
        requests = 0;
        scans = 0;
        for (int i = 0; i < clients.size(); i++)
        {
            judge(i, clients.get(i).answer());
        }
    }

    /** Takes a client's report, and sees that nothing failed for which there is no cause. */
    private void judge(final int client, final String report)
    {
        final String[] words = report.split(" ", 8);
        final long failures = Long.parseLong(words[2]);
        full += Long.parseLong(words[1]);
        failed += failures;
        reconnects += Long.parseLong(words[3]);
        requests += Long.parseLong(words[5]);
        scans += Long.parseLong(words[6]);
        final String failure = words[7];
        if (failure.startsWith("CRASH"))
        {
            isWhole = false;
            this.failures.add("client " + client + " failed: " + failure);
        }
        else if (!isImpatient(client) && failures == 1 && failure.contains(FORGOTTEN))
        {
            forgotten++;
        }
        else if (!isImpatient(client) && failures > 0)
        {
            this.failures.add("client " + client + ": " + failures + " operations failed, the last one: " + failure);
        }
    }

    private boolean isImpatient(final int client)
    {
        return client == settings.clients() - 1;
    }

    private ClientHandle start(final int i, final KilledServer server, final Path keyFile) throws IOException
    {
        final int sessions = settings.sessions();
        final long deadlineMs = isImpatient(i) ? IMPATIENCE_MS * server.slowness() :
            TimeUnit.SECONDS.toMillis(HangGuard.seconds(DEADLINE_SECONDS));
        final List<String> arguments = List.of(
            server.address(), settings.device(), Long.toString(i % 3 == 1 ? 0 : MIRROR), Integer.toString(i * sessions),
            Integer.toString(sessions), Long.toString(settings.seed()), keyFile.toString(), folder.toString(),
            Long.toString(deadlineMs), Boolean.toString(true), Load.KILLS.name(),
            new String(server.token(), StandardCharsets.US_ASCII));
        return ClientHandle.inProcess("client " + i, List.of("-XX:TieredStopAtLevel=1"), arguments);
    }

    /** Ends clients that hang. */
    private Thread guard(final List<ClientHandle> clients)
    {
        final Thread guard = new Thread(() ->
        {
            try
            {
                TimeUnit.SECONDS.sleep(HangGuard.seconds(MAX_SECONDS));
            }
            catch (final InterruptedException e)
            {
                return;
            }
            isWhole = false;
            failures.add("clients hang");
            clients.forEach(ClientHandle::kill);
        }, "hang-guard");
        guard.setDaemon(true);
        guard.start();
        return guard;
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
}
