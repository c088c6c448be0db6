package org.onesided.benchmark.peers;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.onesided.peers.Draw;

/**
 * Loads the records into all systems, lets these take turns in rounds, and then looks what they use while nobody asks
 * them. For one thread.
 */
final class ComparedSystems
{
    private static final long REST_MILLIS = 5_000;
    private static final double PERCENT = 100;
    private static final double IDLE_BOUND = 5;

    private final ClustersSettings settings;
    private final List<ComparedSystem> systems;
    private final ClustersReport report;
    private final ProcessorTimes times;
    private final List<Workload> workloads;
    private final Map<ComparedSystem, List<RecordAccess>> accesses = new HashMap<>();
    private final Map<Workload, List<Draw>> draws = new HashMap<>();

    ComparedSystems(
        final ClustersSettings settings, final List<ComparedSystem> systems, final ClustersReport report,
        final ProcessorTimes times)
    {
        this.settings = settings;
        this.systems = systems;
        this.report = report;
        this.times = times;
        workloads = Workload.all(settings.threads());
    }

    void run() throws IOException
    {
        for (final Workload workload : workloads)
        {
            final List<Draw> all = new ArrayList<>();
            for (int i = 0; i < workload.threads(); i++)
            {
                all.add(workload.draw(settings.records(), i));
            }
            draws.put(workload, all);
        }
        for (final ComparedSystem system : systems)
        {
            load(system);
        }
        for (final Workload workload : workloads)
        {
            for (final ComparedSystem system : systems)
            {
                if (workload.isFor(system))
                {
                    Mix.run(workload, accesses.get(system), draws.get(workload), settings.warmUpMillis());
                }
            }
        }
        for (int round = 0; round < settings.rounds(); round++)
        {
            for (final Workload workload : workloads)
            {
                for (int i = 0; i < systems.size(); i++)
                {
                    // None is always behind the same one.
                    turn(workload, systems.get(round % 2 == 0 ? i : systems.size() - 1 - i));
                }
            }
        }
    }

    private void load(final ComparedSystem system) throws IOException
    {
        final List<RecordAccess> all = new ArrayList<>();
        for (int i = 0; i < Math.max(ClustersSettings.MANY_THREADS, settings.threads()); i++)
        {
            all.add(system.access());
        }
        accesses.put(system, all);
        RecordLoad.run(all, settings.records());
    }

    private void turn(final Workload workload, final ComparedSystem system) throws IOException
    {
        if (!workload.isFor(system))
        {
            return;
        }
        settings.settle();
        final long self = ProcessHandle.current().pid();
        final long membersNs = ProcessorTimes.ofNs(system.pids());
        final long clientNs = ProcessorTimes.ofNs(self);
        final Mix.Result result =
            Mix.run(workload, accesses.get(system), draws.get(workload), settings.millis());
        times.add(ClustersReport.row(workload.name(), system.name()), ProcessorTimes.ofNs(system.pids()) - membersNs,
            ProcessorTimes.ofNs(self) - clientNs, result.operations());
        report.add(workload, system.name(), result);
    }

    /** Members of all systems at the same time, with their clients connected. */
    void printIdle(final PrintStream out) throws IOException
    {
        Crowd.pause(REST_MILLIS);
        final Map<Long, Long> before = new HashMap<>();
        final long beginNs = System.nanoTime();
        for (final ComparedSystem system : systems)
        {
            for (final long pid : system.pids())
            {
                before.put(pid, ProcessorTimes.ofNs(pid));
            }
        }
        Crowd.pause(TimeUnit.SECONDS.toMillis(settings.idleSeconds()));
        out.println("| while nobody asks them | % of a core for each member | most, asked of the cluster |");
        out.println("|---|---|---|");
        for (final ComparedSystem system : systems)
        {
            final List<String> shares = new ArrayList<>();
            double most = 0;
            for (final long pid : system.pids())
            {
                final double share = PERCENT * (ProcessorTimes.ofNs(pid) - before.get(pid)) /
                    (System.nanoTime() - beginNs);
                most = Math.max(most, share);
                shares.add(String.format(Locale.ROOT, "%.1f", share));
            }
            out.printf(Locale.ROOT, "| %s | %s | %s |%n", system.name(), String.join(", ", shares),
                system instanceof StoreCluster ?
                    String.format(Locale.ROOT, "at most %.0f: %s", IDLE_BOUND, most <= IDLE_BOUND ? "met" : "missed") :
                    "-");
        }
    }

    List<Workload> workloads()
    {
        return workloads;
    }
}
