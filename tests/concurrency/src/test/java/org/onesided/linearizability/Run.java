package org.onesided.linearizability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.onesided.chaos.FaultReport;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.read.SessionProbe;
import org.onesided.protocol.table.Superblock;
import org.onesided.testing.CuttingProxy;
import org.onesided.testing.Folders;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ServerProcess;

/**
 * A server and its clients, mostly in a process each, working for a while, and the check of what they recorded.
 */
final class Run
{
    /** In so many operations all faults but outages must have shown, and in so many those, too. */
    private static final long MANY = 100_000;
    private static final long VERY_MANY = 2_000_000;
    private static final long MAX_SECONDS = 3600;
    /** Of a client's call, against hanging. */
    private static final long DEADLINE_SECONDS = 60;
    private static final long DEFAULT_MIRROR = 16L << 20;
    private static final int FINAL_WRITER = Values.MAX_WRITER - 1;

    private final RunSettings settings;
    private final Path folder;
    private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
    /** Whatever else must not be. */
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private long full;
    private long reconnects;
    private long tornReads;
    private long requests;
    private long scans;
    private long indexReleased;
    private long heapReleased;
    private long expired;
    private long evicted;
    private ServerPulse pulse;
    private long disturbances;
    private double runSeconds;
    /** Whether violations were found already. */
    private boolean isChecked;
    /** Whether clients recorded all they did: otherwise there are values of which nobody knows who put them. */
    private volatile boolean isWhole = true;

    private Run(final RunSettings settings, final Path folder)
    {
        this.settings = settings;
        this.folder = folder;
    }

    /** Runs, with files in a temporary folder that is removed. */
    static RunResult of(final RunSettings settings) throws IOException
    {
        final Path folder = Files.createTempDirectory("linearizability");
        try
        {
            return new Run(settings, folder).run();
        }
        finally
        {
            Folders.delete(folder);
        }
    }

    private RunResult run() throws IOException
    {
        final List<String> options = new ArrayList<>(settings.server());
        options.addAll(List.of("--device", settings.serverDevice()));
        final Path log = folder.resolve("server.log");
        final List<String> program = List.of("env", "JDK_JAVA_OPTIONS=" + reportsFaults(),
            "sh", "-c", "exec \"$@\" 2>" + log, "sh");
        try (ServerProcess server = ServerProcess.startIn(program, "127.0.0.1:0", options.toArray(String[]::new)))
        {
            final Path keyFile = folder.resolve("keys");
            try (StoreClient client = client(server.address()); StoreSession session = client.openSession())
            {
                final Superblock table = new SessionProbe(session).superblock();
                Keys.write(Keys.choose(table, settings.keys(), settings.seed()), keyFile);
                work(server, table, keyFile);
                for (final ShardStatistics shard : session.statistics())
                {
                    indexReleased += shard.releasedBytes();
                    heapReleased += shard.heapReleasedBytes();
                    expired += shard.expired();
                    evicted += shard.evictedForHeap() + shard.evictedForIndex();
                }
                try (Recorder recorder = new Recorder(folder.resolve("session-last"), FINAL_WRITER))
                {
                    // What is there in the end is what was acknowledged.
                    new Workload(session, Keys.read(keyFile), recorder, Load.USUAL, settings.seed(), FINAL_WRITER)
                        .getEach();
                }
            }
            catch (final StoreException e)
            {
                failures.add("client cannot work any more: " + e.getMessage());
            }
            final int exitCode = server.terminate();
            if (exitCode != 0)
            {
                failures.add("server ended with an error: exitCode=" + exitCode);
            }
        }
        catch (final AssertionError e)
        {
            // Of closing the server. Most of it was noticed before.
            if (failures.isEmpty())
            {
                failures.add(e.getMessage());
            }
        }
        final ServerLog logged = ServerLog.read(log);
        if (logged.error() != null)
        {
            failures.add("server logged an error: " + logged.error());
        }
        final long startNs = System.nanoTime();
        final List<List<Operation>> histories = isWhole ? Histories.read(folder, settings.keys()) : List.of();
        final long operations = histories.stream().mapToLong(List::size).sum();
        final long unknown = histories.stream().flatMap(List::stream)
            .filter(operation -> operation.fate() == Operation.Fate.UNKNOWN).count();
        if (!isChecked)
        {
            check(histories);
        }
        final double checkSeconds = (System.nanoTime() - startNs) / 1e9;
        if (isGood() && operations < settings.operations())
        {
            failures.add("fewer operations than wanted were recorded: operations=" + operations);
        }
        final String lack = Minima.lack(operations, requests, scans);
        if (isGood() && lack != null)
        {
            failures.add(lack);
        }
        final long faults = disturbances + FaultReport.total(folder);
        if (isGood() && (operations >= MANY &&
            (LongStream.of(reconnects, tornReads, faults, expired).min().getAsLong() == 0 ||
                (settings.evicts() ? evicted : LongStream.of(full, indexReleased, heapReleased).min().getAsLong()) ==
                    0) ||
            operations >= VERY_MANY && unknown == 0))
        {
            failures.add("something never happened that should have, or not often, so this run shows too little: " +
                "full=" + full + " reconnects=" + reconnects + " tornReads=" + tornReads + " faults=" + faults +
                " requests=" + requests + " scans=" + scans + " unknown=" + unknown +
                " indexReleased=" + indexReleased + " heapReleased=" + heapReleased + " expired=" + expired +
                " evicted=" + evicted);
        }
        if (!isGood())
        {
            final List<String> told = failures.isEmpty() ? violations : failures;
            final int last = told.size() - 1;
            told.set(last, told.get(last) + "\nthe server's log ends so:\n" + logged.end());
        }
        return new RunResult(
            settings, operations, unknown, full, reconnects, faults, tornReads, requests, scans, indexReleased,
            heapReleased, expired, evicted, runSeconds, checkSeconds,
            List.copyOf(violations), List.copyOf(failures));
    }

    private boolean isGood()
    {
        return violations.isEmpty() && failures.isEmpty();
    }

    private String reportsFaults()
    {
        return "-D" + FaultReport.FOLDER_PROPERTY + "=" + folder;
    }

    private StoreClient client(final String address)
    {
        return StoreClient.builder().server(address).device(settings.device())
            .deadline(Duration.ofSeconds(HangGuard.seconds(DEADLINE_SECONDS))).build();
    }

    private void work(final ServerProcess server, final Superblock table, final Path keyFile) throws IOException
    {
        final int port = Integer.parseInt(server.address().substring(server.address().lastIndexOf(':') + 1));
        final List<ClientHandle> clients = new ArrayList<>();
        final AtomicBoolean isDone = new AtomicBoolean();
        try (CuttingProxy proxy = new CuttingProxy(port))
        {
            for (int i = 0; i < settings.clients(); i++)
            {
                clients.add(start(i, isCut(i) ? proxy.address() : server.address(), keyFile));
            }
            final Thread guard = guard(clients, isDone);
            try
            {
                checkClocks(clients);
                final long startNs = System.nanoTime();
                final Disturbance disturbance = new Disturbance(settings, proxy, server.pid());
                final Growth growth = new Growth(client(server.address()), settings.operations(), this::recorded);
                final Tide tide = new Tide(client(server.address()), Tide.LENGTH);
                pulse = new ServerPulse(client(server.address()), table);
                try
                {
                    long operations = Math.min(settings.firstCheck(), settings.operations());
                    while (!hasFailedAfter(operations, clients, disturbance) && operations < settings.operations())
                    {
                        operations = Math.min(2 * operations, settings.operations());
                    }
                }
                finally
                {
                    growth.close();
                    tide.close();
                    pulse.close();
                    disturbance.close();
                    disturbances = disturbance.stops() + disturbance.cuts();
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
                isDone.set(true);
                guard.interrupt();
                for (final ClientHandle client : clients)
                {
                    client.close();
                }
            }
        }
    }

    /** Goes on until there are so many operations; whether anything is wrong by then. */
    private boolean hasFailedAfter(
        final long operations, final List<ClientHandle> clients, final Disturbance disturbance) throws IOException
    {
        disturbance.spare(false);
        for (int i = 0; i < clients.size(); i++)
        {
            clients.get(i).tell("go " + share(i, operations));
        }
        full = 0;
        reconnects = 0;
        tornReads = 0;
        requests = 0;
        scans = 0;
        for (int i = 0; i < clients.size(); i++)
        {
            if (!isCut(i))
            {
                judge(i, clients.get(i).answer());
            }
        }
        // What the others have left to do would take long.
        disturbance.spare(true);
        for (int i = 0; i < clients.size(); i++)
        {
            if (isCut(i))
            {
                judge(i, clients.get(i).answer());
            }
        }
        if (isWhole && operations < settings.operations())
        {
            isChecked = check(Histories.read(folder, settings.keys()));
        }
        return !isGood();
    }

    private static boolean isCut(final int client)
    {
        return client % 3 == 2;
    }

    private static boolean isImpatient(final int client)
    {
        return client % 3 == 1;
    }

    private long deadlineMs(final int client)
    {
        return isImpatient(client) ? settings.impatienceMs() :
            TimeUnit.SECONDS.toMillis(HangGuard.seconds(DEADLINE_SECONDS));
    }

    private static int part(final int client)
    {
        return isCut(client) ? 1 : 6;
    }

    /** How many of the operations each session of a client is to do. */
    private long share(final int client, final long operations)
    {
        // One that reconnects all the time must not keep the others waiting.
        final long parts = IntStream.range(0, settings.clients()).map(Run::part).sum();
        return operations * part(client) / parts / settings.sessions() + 1;
    }

    private ClientHandle start(final int i, final String address, final Path keyFile) throws IOException
    {
        final long mirror = isImpatient(i) ? 0 : DEFAULT_MIRROR;
        final int sessions = settings.sessions();
        // Both take more time than they save, but are what users have: the second compiler, which moves loads and
        // stores, and spinning.
        final boolean isPlain = i == 0;
        final List<String> arguments = List.of(
            address, settings.device(), Long.toString(mirror), Integer.toString(i * sessions),
            Integer.toString(sessions), Long.toString(settings.seed()), keyFile.toString(),
            folder.toString(), Long.toString(deadlineMs(i)), Boolean.toString(!isPlain), Load.USUAL.name());
        final String name = "client " + i;
        if (settings.inThreads())
        {
            return ClientHandle.inThread(name, arguments);
        }
        final List<String> options = new ArrayList<>(List.of(reportsFaults()));
        if (!isPlain)
        {
            options.add("-XX:TieredStopAtLevel=1");
        }
        return ClientHandle.inProcess(name, options, arguments);
    }

    /** Ends clients that hang. */
    private Thread guard(final List<ClientHandle> clients, final AtomicBoolean isDone)
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
            if (!isDone.get())
            {
                isWhole = false;
                failures.add("clients hang");
                clients.forEach(ClientHandle::kill);
            }
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

    /** Takes a client's report, and sees that nothing failed for which there is no cause. */
    private void judge(final int client, final String report)
    {
        final String[] words = report.split(" ", 8);
        if (words.length < 8)
        {
            throw new IllegalStateException("client reports something else: client=" + client + " report=" + report);
        }
        full += Long.parseLong(words[1]);
        final long failed = Long.parseLong(words[2]);
        final long lost = Long.parseLong(words[3]);
        reconnects += lost;
        tornReads += Long.parseLong(words[4]);
        requests += Long.parseLong(words[5]);
        scans += Long.parseLong(words[6]);
        final String failure = words[7];
        if (failure.startsWith("CRASH"))
        {
            isWhole = false;
            failures.add("client " + client + " failed: " + failure);
        }
        else if (!isCut(client) && !isImpatient(client) && !settings.device().startsWith("chaos"))
        {
            if (failed > 0)
            {
                failures.add("client " + client + ": " + failed + " operations failed, the last one: " + failure);
            }
            if (lost > 0)
            {
                failures.add("client " + client + " lost its connection " + lost + " times, and nobody had cut it");
            }
        }
    }

    /** Operations that are in the clients' files. */
    private long recorded()
    {
        long length = 0;
        for (int i = 0; i < settings.clients() * settings.sessions(); i++)
        {
            length += folder.resolve("session-" + i).toFile().length();
        }
        return length / Recorder.LENGTH;
    }

    /** Adds violations to those found; whether there are any. */
    private boolean check(final List<List<Operation>> histories)
    {
        final ExpiryTimes known = pulse == null ? ExpiryTimes.NONE : pulse.times();
        final ExpiryTimes times = settings.evicts() ? ExpiryTimes.evicting(known) : known;
        final List<String> found = Histories.violations(histories, settings.keys(), times);
        violations.addAll(found);
        return !found.isEmpty();
    }
}
