package org.onesided.benchmark;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.onesided.client.BlankServer;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.client.types.ClusterState;
import org.onesided.testing.JavaCommand;

/** The servers of a cluster, in processes of their own, that are killed and started again. For one thread. */
public final class FailoverMembers implements AutoCloseable
{
    /** How many there are. */
    public static final int COUNT = 3;

    private static final String MAIN = "org.onesided.tools.kvctl.Kvctl";
    private static final long LONGEST_WAIT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final long LOOK_MS = 50;

    private final Path directory;
    private final String device;
    private final List<String> jvm;
    private final List<String> options;
    private final List<String> addresses = new ArrayList<>();
    private final List<String> peers = new ArrayList<>();
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    /** An interrupted run leaves no servers. */
    private final Thread hook = new Thread(() -> processes.forEach(Process::destroyForcibly), "failover-end");

    /** Starts servers for a small table, which never spin, and makes them a cluster. */
    FailoverMembers(final int partitions, final long leaseMs) throws IOException
    {
        this(Files.createTempDirectory("onesided-failover-"), "shm", List.of(),
            List.of("--memory", "64m", "--spin", "never"), partitions, leaseMs);
    }

    /**
     * Starts servers, and makes them a cluster.
     *
     * @param directory  of all that they write; deleted at the close.
     * @param device     of the servers and of their clients.
     * @param jvm        options of their JVMs.
     * @param options    of the servers, beyond device, data and addresses.
     * @param partitions of the table.
     * @param leaseMs    for how long clients may look up without asking again.
     * @throws IOException if a server does not start.
     */
    public FailoverMembers(
        final Path directory, final String device, final List<String> jvm, final List<String> options,
        final int partitions, final long leaseMs) throws IOException
    {
        this.directory = directory;
        this.device = device;
        this.jvm = jvm;
        this.options = options;
        Runtime.getRuntime().addShutdownHook(hook);
        final List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 2 * COUNT; i++)
        {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            (i < COUNT ? addresses : peers).add("127.0.0.1:" + sockets.get(i).getLocalPort());
        }
        for (final ServerSocket socket : sockets)
        {
            socket.close();
        }
        for (int i = 0; i < COUNT; i++)
        {
            processes.add(launch(i));
        }
        for (final Process process : processes)
        {
            awaitLine(process);
        }
        final ClusterFoundation foundation = ClusterFoundation.draw(partitions, leaseMs, addresses, peers);
        for (int i = 0; i < COUNT; i++)
        {
            try (BlankServer blank = builder().server(addresses.get(i)).connectBlank())
            {
                blank.form(i + 1, foundation);
            }
        }
        for (final Process process : processes)
        {
            awaitLine(process);
        }
    }

    private StoreClientBuilder builder()
    {
        return StoreClient.builder().device(device).deadline(Duration.ofSeconds(60));
    }

    private Process launch(final int index) throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of("server", "--data",
            directory.resolve("member-" + (index + 1)).toString(), "--device", device, "--listen",
            addresses.get(index), "--peer-listen", peers.get(index)));
        arguments.addAll(options);
        return new ProcessBuilder(JavaCommand.of(jvm, MAIN, arguments))
            .redirectError(ProcessBuilder.Redirect.appendTo(new File(directory.toFile(), "log-" + (index + 1))))
            .start();
    }

    /** The process says that it waits to be formed, or that it is ready. */
    private static void awaitLine(final Process process) throws IOException
    {
        final BufferedReader out =
            new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        if (out.readLine() == null)
        {
            throw new IOException("a server has ended: exitCode=" + process.onExit().join().exitValue());
        }
    }

    /**
     * @return those of all members, with commas between them.
     */
    public String addresses()
    {
        return String.join(",", addresses);
    }

    /**
     * @param member from 1.
     * @return its process.
     */
    public long pid(final long member)
    {
        return processes.get((int)member - 1).pid();
    }

    /** Of all members that answer, the one's view that leads a partition; null if none serves it. */
    ClusterState leader(final int partition)
    {
        for (final String address : addresses)
        {
            try
            {
                final ClusterState state = builder().server(address).clusterState();
                if (state.partitions().get(partition).isServing())
                {
                    return state;
                }
            }
            catch (final StoreException e)
            {
                // It was killed, or starts.
                continue;
            }
        }
        return null;
    }

    /**
     * Waits until all partitions are served, and all members in sync.
     *
     * @param partitions of the table.
     * @throws InterruptedException if it is to end.
     */
    public void awaitSound(final int partitions) throws InterruptedException
    {
        final long endNs = System.nanoTime() + LONGEST_WAIT_NS;
        for (int i = 0; i < partitions; i++)
        {
            ClusterState state = leader(i);
            while (state == null || state.partitions().get(i).followers().stream()
                .filter(ClusterState.Follower::isInSync).count() < COUNT - 1)
            {
                if (System.nanoTime() - endNs > 0)
                {
                    throw new IllegalStateException("not all members are in sync in time: partition=" + i);
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
                state = leader(i);
            }
        }
    }

    /** Lets another member lead; why it does not, or an empty text. */
    String transfer(final int partition, final ClusterState from, final long to)
    {
        return builder().server(addresses.get((int)from.self() - 1)).transferPartition(partition, to).orElse("");
    }

    /**
     * Lets members lead equally many partitions, or one more or fewer.
     *
     * @param partitions of the table.
     * @throws InterruptedException if it is to end.
     */
    public void spreadLeaders(final int partitions) throws InterruptedException
    {
        for (int i = 0; i < partitions; i++)
        {
            final long wanted = i % COUNT + 1;
            awaitSound(partitions);
            final ClusterState from = leader(i);
            if (from != null && from.self() != wanted)
            {
                final String refusal = transfer(i, from, wanted);
                if (!refusal.isEmpty())
                {
                    System.err.println("not transferred: " + refusal);
                }
            }
        }
        awaitSound(partitions);
    }

    void kill(final long member) throws InterruptedException
    {
        processes.get((int)member - 1).destroyForcibly().waitFor();
    }

    void start(final long member) throws IOException
    {
        processes.set((int)member - 1, launch((int)member - 1));
        awaitLine(processes.get((int)member - 1));
    }

    @Override
    public void close() throws IOException
    {
        processes.forEach(Process::destroyForcibly);
        processes.forEach((process) -> process.onExit().join());
        try (Stream<Path> all = Files.walk(directory))
        {
            for (final Path file : all.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(file);
            }
        }
    }
}
