package org.onesided.tools.kvctl.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.StopHook;
import org.onesided.tools.text.Amounts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code kvctl cluster demo}.
 */
@Command(
    name = "demo",
    description = "Start a cluster of three servers on this machine, kill a leader, and show what clients notice.",
    footer = {
        "",
        "The servers listen on free ports and write to a temporary directory; nothing of them stays behind. One " +
            "thread writes and one looks up while the leader of partition 0 is killed with SIGKILL. Then all that " +
            "was acknowledged is looked up.",
        "",
        "Examples:",
        "  kvctl cluster demo",
        "  kvctl cluster demo --memory 64m",
    })
final class ClusterDemoCommand extends KvctlCommand
{
    private static final int KEYS = 5_000;
    private static final int BATCH = 500;
    private static final long QUIET_S = 2;
    /** Of operations before and after the kill: a busy machine may take longer than clients wait by default. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Option(
        names = "--memory",
        paramLabel = "SIZE",
        defaultValue = "32MiB",
        description = "Memory of each server; default 32MiB.")
    private String memory;

    private PrintStream out;

    @Override
    protected ExitCode run() throws IOException, InterruptedException
    {
        invocation().logFrom("error");
        out = new PrintStream(output(), true, UTF_8);
        final int argumentCount = arguments().size();
        final StopHook stop = StopHook.interrupting();
        try
        {
            out.println("Starting three servers, and forming a cluster of them:");
            try (DemoCluster cluster = DemoCluster.start(argumentCount, memory))
            {
                show(cluster);
            }
            out.println();
            out.println("Stopped the servers; they left nothing behind.");
        }
        finally
        {
            stop.close();
        }
        return ExitCode.DONE;
    }

    private void show(final DemoCluster cluster) throws IOException, InterruptedException
    {
        out.println("  kvctl cluster status " + cluster.addresses());
        out.println();
        out.print(indented(cluster.look()));
        try (StoreClient client = StoreClient.builder().server(cluster.addresses()).device("shm").build())
        {
            final StoreOperations patient = client.within(PATIENCE);
            load(patient);
            final Map<String, String> written = showFailover(cluster, client);
            showNothingLost(patient, written);
        }
    }

    private static String indented(final ClusterView view)
    {
        return view.text().replaceAll("(?m)^(?=.)", "  ");
    }

    private void load(final StoreOperations client)
    {
        final long beganNs = System.nanoTime();
        for (int i = 0; i < KEYS; i += BATCH)
        {
            final Map<String, String> batch = new HashMap<>();
            for (int k = i; k < i + BATCH; k++)
            {
                batch.put(DemoLoad.key(k), DemoLoad.value(k));
            }
            client.putAll(batch);
        }
        out.println();
        out.printf(Locale.ROOT, "Put %s, each on the disks of two members at least: %,.0f ms%n",
            Amounts.count(KEYS, "key"), (System.nanoTime() - beganNs) / 1e6);
    }

    /** What was acknowledged meanwhile. */
    private Map<String, String> showFailover(final DemoCluster cluster, final StoreClient client)
        throws IOException, InterruptedException
    {
        try (DemoLoad load = new DemoLoad(client, KEYS))
        {
            TimeUnit.SECONDS.sleep(QUIET_S);
            final double writeMs = load.writes().longestNs() / 1e6;
            final double lookupMs = load.lookups().longestNs() / 1e6;
            load.writes().begin();
            load.lookups().begin();
            final long leader = cluster.look().partitions().get(0).leader();
            out.println();
            out.println("Killing member " + leader + ", which leads partition 0, while two threads write and look " +
                "up: process " + cluster.pid(leader));
            final long killedNs = System.nanoTime();
            cluster.kill(leader);
            final ClusterView after = cluster.awaitServed();
            out.printf(Locale.ROOT, "  all partitions are served again after %,10.0f ms%n",
                (System.nanoTime() - killedNs) / 1e6);
            // An operation that waited for a leader ends a little later.
            TimeUnit.SECONDS.sleep(QUIET_S);
            load.end();
            out.printf(Locale.ROOT, "  longest write                        %,10.0f ms, before the kill %,.1f ms%n",
                load.writes().longestNs() / 1e6, writeMs);
            out.printf(Locale.ROOT, "  longest lookup                       %,10.0f ms, before the kill %,.1f ms%n",
                load.lookups().longestNs() / 1e6, lookupMs);
            out.printf(Locale.ROOT, "  writes, failed attempts              %,10d, %d%n", load.writes().done(),
                load.writes().failed());
            out.printf(Locale.ROOT, "  lookups, failed attempts             %,10d, %d%n", load.lookups().done(),
                load.lookups().failed());
            out.println();
            out.print(indented(after));
            cluster.restart(leader);
            out.println();
            out.println("Started member " + leader + " again: process " + cluster.pid(leader));
            return load.acknowledged();
        }
    }

    private void showNothingLost(final StoreOperations client, final Map<String, String> written)
    {
        final Map<String, String> all = new HashMap<>(written);
        for (int i = 0; i < KEYS; i++)
        {
            all.put(DemoLoad.key(i), DemoLoad.value(i));
        }
        final long lost = all.entrySet().stream()
            .filter((each) -> !each.getValue().equals(client.get(each.getKey()))).count();
        if (lost > 0)
        {
            throw new CommandException(ExitCode.FAILED, "acknowledged writes are lost: lost=" + lost + " of=" +
                all.size());
        }
        out.println();
        out.println("Looked up all that was acknowledged, nothing is lost: " + Amounts.count(all.size(), "key"));
    }
}
