package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.onesided.client.BlankServer;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.server.ServerProcess;

/**
 * Three servers on this machine that keep one table, in processes and a temporary directory of their own. For one
 * thread.
 */
final class DemoCluster implements AutoCloseable
{
    private static final int MEMBERS = 3;
    private static final int PARTITIONS = 8;
    private static final long LEASE_MS = 1_000;
    /** A busy machine takes its time for elections. */
    private static final long LONGEST_WAIT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_MS = 100;

    private final int argumentCount;
    private final String memory;
    private final Path directory;
    private final List<String> addresses = new ArrayList<>();
    private final List<String> peerAddresses = new ArrayList<>();
    private final List<ServerProcess> servers = new ArrayList<>();

    private DemoCluster(final int argumentCount, final String memory) throws IOException
    {
        this.argumentCount = argumentCount;
        this.memory = memory;
        directory = Files.createTempDirectory("kvctl-cluster-demo-");
    }

    /**
     * Starts the servers, and makes them members.
     *
     * @param argumentCount of this process.
     * @param memory        of each server.
     * @return the cluster, whose partitions are all served.
     * @throws IOException          if a server cannot be started.
     * @throws InterruptedException if the caller is interrupted.
     */
    static DemoCluster start(final int argumentCount, final String memory) throws IOException, InterruptedException
    {
        final DemoCluster cluster = new DemoCluster(argumentCount, memory);
        boolean isStarted = false;
        try
        {
            cluster.chooseAddresses();
            for (int i = 0; i < MEMBERS; i++)
            {
                cluster.servers.add(cluster.process(i, true));
            }
            cluster.form();
            for (final ServerProcess server : cluster.servers)
            {
                server.awaitReady();
            }
            cluster.awaitServed();
            isStarted = true;
            return cluster;
        }
        finally
        {
            if (!isStarted)
            {
                cluster.close();
            }
        }
    }

    private void chooseAddresses() throws IOException
    {
        for (final int port : ServerPorts.choose(2 * MEMBERS))
        {
            (addresses.size() < MEMBERS ? addresses : peerAddresses).add("127.0.0.1:" + port);
        }
    }

    private ServerProcess process(final int index, final boolean isBlank) throws IOException
    {
        return ServerProcess.startMember(argumentCount, isBlank, List.of(
            "--data", directory.resolve("member-" + (index + 1)).toString(), "--memory", memory,
            "--listen", addresses.get(index), "--peer-listen", peerAddresses.get(index)));
    }

    private void form()
    {
        final ClusterFoundation foundation =
            ClusterFoundation.draw(PARTITIONS, LEASE_MS, addresses, peerAddresses);
        for (int i = 0; i < MEMBERS; i++)
        {
            try (BlankServer blank = builder().server(addresses.get(i)).deadline(Duration.ofNanos(LONGEST_WAIT_NS))
                .connectBlank())
            {
                blank.form(i + 1, foundation);
            }
        }
    }

    /** Configures a client of one server. */
    private static StoreClientBuilder builder()
    {
        return StoreClient.builder();
    }

    /** Where clients connect to the members, with commas between them. */
    String addresses()
    {
        return String.join(",", addresses);
    }

    /** What members know. */
    ClusterView look()
    {
        return MemberSurvey.look(builder(), addresses);
    }

    /** Waits until clients can use all partitions. */
    ClusterView awaitServed() throws InterruptedException
    {
        final long endNs = System.nanoTime() + LONGEST_WAIT_NS;
        ClusterView view = look();
        while (!view.unserved().isEmpty())
        {
            if (System.nanoTime() - endNs >= 0)
            {
                throw new CommandException(ExitCode.NOT_SERVED, "the members found no leaders in time: unserved=" +
                    view.unserved().size());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            view = look();
        }
        return view;
    }

    /** Kills a member without a warning. */
    void kill(final long member)
    {
        servers.get((int)member - 1).kill();
    }

    /** Starts a member again that was killed. */
    void restart(final long member) throws IOException
    {
        final int index = (int)member - 1;
        servers.get(index).close();
        servers.set(index, process(index, false));
    }

    /** Process of a member. */
    long pid(final long member)
    {
        return servers.get((int)member - 1).pid();
    }

    /** Stops the servers, and removes what they have written. */
    @Override
    public void close() throws IOException
    {
        CloseHelper.quietCloseAll(servers);
        try (Stream<Path> all = Files.walk(directory))
        {
            for (final Path file : all.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
    }
}
