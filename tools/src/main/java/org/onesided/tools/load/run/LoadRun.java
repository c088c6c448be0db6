package org.onesided.tools.load.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.onesided.tools.load.output.HistogramLog;
import org.onesided.tools.load.output.Machine;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.ProgressLine;
import org.onesided.tools.load.output.RunResult;
import org.onesided.tools.load.output.Settings;
import org.onesided.tools.load.output.StoreFacts;
import org.onesided.tools.load.workload.Workload;

/**
 * A load run: its phases in order. For one thread; if it is interrupted, the run ends early with the results so far.
 */
public final class LoadRun implements AutoCloseable
{
    /** Unknown processor time. */
    public static final long UNKNOWN_NS = -1;

    private final RunPlan plan;
    private final Clients clients;
    private final LongSupplier serverCpuNs;
    private final ProgressLine progress;
    private final HistogramLog log;
    private boolean isVerified;

    private LoadRun(
        final RunPlan plan,
        final Clients clients,
        final LongSupplier serverCpuNs,
        final ProgressLine progress,
        final HistogramLog log)
    {
        this.plan = plan;
        this.clients = clients;
        this.serverCpuNs = serverCpuNs;
        this.progress = progress;
        this.log = log;
    }

    /**
     * Prepares a run by threads of this process.
     *
     * @param plan        of the run.
     * @param store       under load; closed with the run.
     * @param serverCpuNs finds, for the address of a server, a supplier of its processor time in nanoseconds, or of
     *                    {@link #UNKNOWN_NS}.
     * @param progress    shows the progress.
     * @param log         gets the histograms; may be null.
     * @return the run; the caller closes it.
     */
    public static LoadRun inThisProcess(
        final RunPlan plan,
        final StoreAccess store,
        final Function<String, LongSupplier> serverCpuNs,
        final ProgressLine progress,
        final HistogramLog log)
    {
        return new LoadRun(
            plan, new LocalClient(plan, store, 0), serverCpuNs.apply(store.facts().address()), progress, log);
    }

    /**
     * Prepares a run by other processes, which {@linkplain ClientServant#serve serve} this one, and waits until all are
     * connected.
     *
     * @param plan        of the run.
     * @param commands    to start the processes.
     * @param serverCpuNs finds, for the address of a server, a supplier of its processor time in nanoseconds, or of
     *                    {@link #UNKNOWN_NS}.
     * @param progress    shows the progress.
     * @param log         gets the histograms; may be null.
     * @return the run; the caller closes it.
     * @throws ClientProcessException if a process cannot connect.
     */
    public static LoadRun inOtherProcesses(
        final RunPlan plan,
        final List<List<String>> commands,
        final Function<String, LongSupplier> serverCpuNs,
        final ProgressLine progress,
        final HistogramLog log)
    {
        final ClientProcesses clients = new ClientProcesses(commands);
        return new LoadRun(plan, clients, serverCpuNs.apply(clients.facts().address()), progress, log);
    }

    /**
     * Runs the phases.
     *
     * @param version of the tools.
     * @param command the exact command line.
     * @return the result.
     */
    public RunResult run(final String version, final List<String> command)
    {
        final Instant start = Instant.now();
        final List<PhaseResult> results = new ArrayList<>();
        if (plan.phases().hasLoad())
        {
            results.add(run(RunPlan.Phases.LOAD));
        }
        if (plan.phases().hasRun() && results.stream().allMatch(LoadRun::isComplete))
        {
            results.add(run(RunPlan.Phases.RUN));
        }
        final StoreFacts facts = clients.facts();
        return new RunResult(version, command, start, Machine.ofThisOne(), settings(), facts, results);
    }

    /** Closes the resources of the run. */
    @Override
    public void close()
    {
        clients.close();
    }

    private static boolean isComplete(final PhaseResult result)
    {
        return result.ending() == PhaseResult.Ending.DONE && result.failed() == 0;
    }

    private PhaseResult run(final RunPlan.Phases phase)
    {
        final boolean isLoad = phase == RunPlan.Phases.LOAD;
        final Tally tally = new Tally(!isLoad && plan.target() > 0);
        final Follower follower = new Follower(phase, tally);
        final PhaseEnd end;
        try
        {
            end = clients.run(phase, follower);
        }
        finally
        {
            progress.clear();
        }
        final long cpuNs = serverCpuNs.getAsLong();
        isVerified = end.isVerified();
        final PhaseResult result = tally.result(name(phase), follower.start, end,
            cpuNs < 0 || follower.cpuBeforeNs < 0 ? UNKNOWN_NS : cpuNs - follower.cpuBeforeNs);
        if (log != null)
        {
            tally.intervals().forEach(interval -> interval.parts().forEach((type, part) ->
                log.add(name(phase) + '.' + type.label(), follower.start, interval.startMs(), interval.lengthMs(),
                    part.latency())));
        }
        return result;
    }

    private static String name(final RunPlan.Phases phase)
    {
        return phase.name().toLowerCase(Locale.ROOT);
    }

    private Settings settings()
    {
        final Workload workload = plan.workload();
        return new Settings(
            workload.name(),
            workload.mix().parts(),
            workload.readModifyWrite().label(),
            workload.ttlMs(),
            workload.distribution().label(),
            workload.records(),
            workload.operations(),
            plan.durationNs() / 1_000_000,
            plan.warmUpNs() / 1_000_000,
            plan.threads(),
            plan.clients(),
            plan.target(),
            workload.fieldCount(),
            workload.fieldLength(),
            workload.keyNames().isHashed() ? "hashed" : "ordered",
            plan.seed(),
            isVerified);
    }

    /** Adds up a phase and shows its progress. */
    private final class Follower implements PhaseListener
    {
        private final RunPlan.Phases phase;
        private final Tally tally;
        private Instant start = Instant.now();
        private long cpuBeforeNs = UNKNOWN_NS;
        private long done;

        Follower(final RunPlan.Phases phase, final Tally tally)
        {
            this.phase = phase;
            this.tally = tally;
        }

        @Override
        public void warmingUp(final long leftNs)
        {
            progress.show(name(phase) + "  warming up");
        }

        @Override
        public void measuring()
        {
            start = Instant.now();
            cpuBeforeNs = serverCpuNs.getAsLong();
        }

        @Override
        public void interval(final Interval interval)
        {
            tally.add(interval);
            final Interval.Part all = new Interval.Part();
            interval.parts().values().forEach(all::add);
            done += interval.doneCount();
            progress.show(name(phase), interval.startMs() + interval.lengthMs(), share(interval),
                Math.max(0, interval.doneCount()) * 1e3 / Math.max(1, interval.lengthMs()), all.latency(),
                interval.failedCount());
        }

        /** The fraction of the phase that is done; negative if unknown. */
        private double share(final Interval interval)
        {
            if (phase == RunPlan.Phases.LOAD)
            {
                return (double)done / plan.workload().insertCount();
            }
            final double byTime = plan.durationNs() == 0 ? -1 :
                (interval.startMs() + interval.lengthMs()) * 1e6 / plan.durationNs();
            final double byCount =
                plan.workload().operations() == 0 ? -1 : (double)done / plan.workload().operations();
            return Math.max(byTime, byCount);
        }
    }
}
