package org.onesided.linearizability;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterState;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.server.data.BlankDirectory;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.TableIdentity;
import org.onesided.testing.HangGuard;
import org.onesided.testing.KvctlCommand;

/**
 * The servers of a cluster, each in a process of its own, that are killed, stopped and started again, and give way to
 * others. With more than three, each partition is on three of them.
 */
final class ClusterServers implements AutoCloseable
{
    static final int PARTITIONS = 4;
    static final long LEASE_MS = 500;
    static final int REPLICAS = 3;

    private static final long START_SECONDS = 120;
    private static final long END_SECONDS = 60;
    /** Longer than a command waits by itself: for a change under way, for the new member, and for who is told. */
    private static final long CHANGE_SECONDS = 400;
    private static final long KEEPERS_SECONDS = 120;
    private static final int TRIES = 3;
    private static final long LOOK_MS = 50;

    private final List<String> options;
    private final Path folder;
    /** As they were founded, or who came into their places. */
    private final List<ClusterMember> members = new CopyOnWriteArrayList<>();
    private final Process[] processes;
    /** All that were started, those of members that were replaced, too. */
    private final List<Process> all = new CopyOnWriteArrayList<>();
    /** How often each place was given to another member. */
    private final int[] replaced;

    /**
     * @param count   of the members.
     * @param folder  for their data and logs.
     * @param options of each.
     */
    ClusterServers(final int count, final Path folder, final List<String> options) throws IOException
    {
        this.folder = folder;
        this.options = options;
        processes = new Process[count];
        replaced = new int[count];
        final List<String> free = FreePorts.addresses(2 * count);
        for (int i = 0; i < count; i++)
        {
            members.add(new ClusterMember(i + 1, free.get(2 * i), free.get(2 * i + 1)));
        }
        final TableIdentity identity = TableIdentity.draw();
        for (int i = 0; i < count; i++)
        {
            try (BlankDirectory directory = BlankDirectory.open(data(i)))
            {
                directory.form(identity, PARTITIONS, ClusterDescription.founding(
                    i + 1, members, count > REPLICAS ? REPLICAS : 0, LEASE_MS));
            }
        }
    }

    private Path data(final int index)
    {
        return folder.resolve("data-" + index + (replaced[index] == 0 ? "" : "-" + replaced[index]));
    }

    /** The log of all processes of a member. */
    Path log(final int index)
    {
        return folder.resolve("server-" + index + ".log");
    }

    int count()
    {
        return processes.length;
    }

    /** Where clients find the cluster. */
    String addresses()
    {
        return members.stream().map(ClusterMember::address).collect(Collectors.joining(","));
    }

    /** Starts a member, without waiting. */
    void start(final int index) throws IOException
    {
        start(index, List.of());
    }

    private void start(final int index, final List<String> more) throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "server", "--listen", members.get(index).address(), "--data", data(index).toString()));
        arguments.addAll(options);
        arguments.addAll(more);
        processes[index] = new ProcessBuilder(KvctlCommand.of(arguments))
            .redirectError(ProcessBuilder.Redirect.appendTo(log(index).toFile()))
            .start();
        all.add(processes[index]);
    }

    /** Waits until a member is ready that was just started. */
    void awaitReady(final int index) throws IOException
    {
        // The ready line comes on standard output, once.
        final BufferedReader output = processes[index].inputReader(StandardCharsets.UTF_8);
        final long endNs = System.nanoTime() + HangGuard.nanos(START_SECONDS);
        try
        {
            while (!output.ready())
            {
                if (processes[index].waitFor(20, TimeUnit.MILLISECONDS))
                {
                    throw new IOException("member ended before it was ready: member=" + (index + 1) + " exitCode=" +
                        processes[index].exitValue());
                }
                if (System.nanoTime() - endNs > 0)
                {
                    throw new IOException("member does not get ready: member=" + (index + 1));
                }
            }
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
    }

    /**
     * Has a new member take the place of one, which runs until then.
     *
     * @param index     of the place.
     * @param meanwhile done while members change.
     */
    void replace(final int index, final Harm meanwhile) throws IOException, InterruptedException
    {
        final Process old = processes[index];
        final String seeds = addresses();
        final String address = members.get(index).address();
        final List<String> free = FreePorts.addresses(2);
        replaced[index]++;
        members.set(index, new ClusterMember(members.size() + replaced[index], free.get(0), free.get(1)));
        start(index, List.of("--peer-listen", free.get(1)));
        awaitReady(index);
        // It can be repeated, as a leader may be lost meanwhile.
        Process change = change(seeds, address, free.get(0));
        meanwhile.run();
        for (int i = 1; i < TRIES && !isDone(change); i++)
        {
            change = change(seeds, address, free.get(0));
        }
        if (!isDone(change))
        {
            throw new IOException("member is not replaced, see the log: member=" + address + " by=" + free.get(0));
        }
        old.destroy();
        if (!old.waitFor(HangGuard.seconds(END_SECONDS), TimeUnit.SECONDS))
        {
            throw new IOException("member that was removed does not end: member=" + address);
        }
    }

    /** Whether replicas can go to other members. */
    boolean isSpread()
    {
        return processes.length > REPLICAS;
    }

    /**
     * Has a replica go to another member, and perhaps back at once.
     *
     * @param random    draws the partition, and the members.
     * @param meanwhile done while it goes.
     */
    void move(final Random random, final Harm meanwhile) throws IOException, InterruptedException
    {
        final Map<Integer, Set<Long>> keepers = keepers();
        final List<Integer> partitions = new ArrayList<>(keepers.keySet());
        final int partition = partitions.get(random.nextInt(partitions.size()));
        final List<Long> from = List.copyOf(keepers.get(partition));
        final List<Long> to = new ArrayList<>();
        while (to.isEmpty())
        {
            numbers().stream().filter((each) -> !from.contains(each)).forEach(to::add);
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
        final String source = Long.toString(from.get(random.nextInt(from.size())));
        final String target = Long.toString(to.get(random.nextInt(to.size())));
        move(partition, source, target, meanwhile);
        if (random.nextBoolean())
        {
            move(partition, target, source, () -> { });
        }
    }

    private void move(final int partition, final String from, final String to, final Harm meanwhile)
        throws IOException, InterruptedException
    {
        final List<String> arguments = List.of("move", Integer.toString(partition), from, to);
        Process change = change(arguments);
        meanwhile.run();
        for (int i = 1; i < TRIES && !isDone(change); i++)
        {
            change = change(arguments);
        }
        if (!isDone(change))
        {
            throw new IOException("replica is not moved, see the log: partition=" + partition + " from=" + from +
                " to=" + to);
        }
    }

    /** Of the servers themselves: one that was away may list a member that was replaced. */
    private List<Long> numbers()
    {
        return IntStream.range(0, processes.length).mapToObj(this::state).flatMap(Optional::stream)
            .map(ClusterState::self).distinct().toList();
    }

    /** Empty if it does not answer, as one that begins anew does not. */
    private Optional<ClusterState> state(final int index)
    {
        try
        {
            return Optional.of(StoreClient.builder().server(members.get(index).address())
                .deadline(Duration.ofSeconds(HangGuard.seconds(START_SECONDS))).clusterState());
        }
        catch (final StoreException e)
        {
            return Optional.empty();
        }
    }

    /** Who keeps the partitions whose leaders say so; some partition at least. */
    private Map<Integer, Set<Long>> keepers() throws IOException, InterruptedException
    {
        final Map<Integer, Set<Long>> keepers = new TreeMap<>();
        final long endNs = System.nanoTime() + HangGuard.nanos(KEEPERS_SECONDS);
        while (keepers.isEmpty())
        {
            if (System.nanoTime() - endNs > 0)
            {
                throw new IOException("no leader says who keeps its partition: servers=" + addresses());
            }
            for (int i = 0; i < processes.length; i++)
            {
                final ClusterState state = state(i).orElse(null);
                for (int partition = 0; state != null && partition < PARTITIONS; partition++)
                {
                    final List<ClusterState.Follower> followers = state.partitions().get(partition).followers();
                    // With more, one is on its way, or on its way out.
                    if (followers.size() == REPLICAS - 1)
                    {
                        final Set<Long> numbers = new TreeSet<>(Set.of(state.self()));
                        followers.forEach((each) -> numbers.add(each.member()));
                        keepers.put(partition, numbers);
                    }
                }
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
        return keepers;
    }

    private Process change(final String seeds, final String from, final String to) throws IOException
    {
        return change(seeds, List.of("replace", from, to));
    }

    private Process change(final List<String> command) throws IOException
    {
        return change(addresses(), command);
    }

    private Process change(final String seeds, final List<String> command) throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of("cluster", command.get(0), "--server", seeds,
            "--deadline", "10s"));
        arguments.addAll(command.subList(1, command.size()));
        return new ProcessBuilder(KvctlCommand.of(arguments))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("changes.log").toFile()))
            .start();
    }

    private static boolean isDone(final Process change) throws InterruptedException
    {
        final boolean hasEnded = change.waitFor(HangGuard.seconds(CHANGE_SECONDS), TimeUnit.SECONDS);
        change.destroyForcibly();
        return hasEnded && change.exitValue() == 0;
    }

    /** Something that goes wrong. */
    @FunctionalInterface
    interface Harm
    {
        void run() throws IOException, InterruptedException;
    }

    /** Kills a member by SIGKILL. */
    void kill(final int index) throws IOException, InterruptedException
    {
        if (!processes[index].isAlive())
        {
            throw new IOException("member ended by itself: member=" + (index + 1) + " exitCode=" +
                processes[index].exitValue());
        }
        processes[index].destroyForcibly();
        awaitEnd(index);
    }

    /** Stops a member in order, by SIGTERM. */
    void stop(final int index) throws IOException, InterruptedException
    {
        processes[index].destroy();
        awaitEnd(index);
        if (processes[index].exitValue() != 0)
        {
            throw new IOException("member ended with an error: member=" + (index + 1) + " exitCode=" +
                processes[index].exitValue());
        }
    }

    /** Sends a member a signal. */
    void signal(final int index, final String name) throws IOException, InterruptedException
    {
        final Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(processes[index].pid())).start();
        if (kill.waitFor() != 0)
        {
            throw new IOException("member cannot be signalled: member=" + (index + 1) + " signal=" + name);
        }
    }

    /** Asks all to stop, and gives their exit codes. */
    List<Integer> terminate() throws IOException, InterruptedException
    {
        for (final Process process : processes)
        {
            process.destroy();
        }
        final List<Integer> codes = new ArrayList<>();
        for (int i = 0; i < processes.length; i++)
        {
            awaitEnd(i);
            codes.add(processes[i].exitValue());
        }
        return codes;
    }

    private void awaitEnd(final int index) throws IOException, InterruptedException
    {
        if (!processes[index].waitFor(HangGuard.seconds(END_SECONDS), TimeUnit.SECONDS))
        {
            throw new IOException("member does not end: member=" + (index + 1));
        }
    }

    @Override
    public void close()
    {
        all.forEach(Process::destroyForcibly);
    }
}
