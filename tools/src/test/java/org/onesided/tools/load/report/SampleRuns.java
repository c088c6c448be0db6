package org.onesided.tools.load.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.Conflicts;
import org.onesided.tools.load.output.FailureCount;
import org.onesided.tools.load.output.IntervalResult;
import org.onesided.tools.load.output.Machine;
import org.onesided.tools.load.output.OperationResult;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.RunResult;
import org.onesided.tools.load.output.Settings;
import org.onesided.tools.load.output.StoreFacts;
import org.onesided.tools.load.output.Verification;

/**
 * Made-up results that look like those of real runs.
 */
final class SampleRuns
{
    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final int SECONDS = 30;
    private static final long SECOND_NS = 1_000_000_000L;

    private SampleRuns()
    {
    }

    /** A run of workload B, with its load phase, at a multiple of the usual speed. */
    static RunResult workloadB(final double speed, final long seed)
    {
        return run("host1", List.of("kvctl", "load", "--workload", "b", "--duration", "30s"), speed, seed, List.of());
    }

    /** A run that was asked for a target, fell behind, and failed at times. */
    static RunResult behind(final long seed)
    {
        final RunResult run = run("host2",
            List.of("kvctl", "load", "--workload", "b", "--target", "300000"), 0.8, seed, List.of("a client died"));
        final PhaseResult phase = run.phases().get(1);
        final List<OperationResult> operations = new ArrayList<>();
        final Random random = new Random(seed);
        for (final OperationResult one : phase.operations())
        {
            operations.add(new OperationResult(one.operation(), one.service(),
                histogram(random, 20_000, 40_000, 1.4), histogram(random, 5, 5e6, 0.1)));
        }
        return new RunResult(run.version(), run.command(), run.start(), run.machine(), run.settings(), run.store(),
            List.of(new PhaseResult(phase.name(), phase.start(), phase.elapsedNs(), PhaseResult.Ending.INTERRUPTED,
                phase.done(), 10, 4711, new Conflicts(123, 45), operations, phase.intervals(),
                List.of(new FailureCount("UPDATE", "deadline", 10, "no answer in time: key=user1")),
                new Verification(1000, List.of(new Verification.FaultCount("another-key", 1, "user7 has user8's"))),
                phase.client(), -1, phase.clientCpuNs(), phase.notes())));
    }

    /** A run of workload F by version, with conflicts. */
    static RunResult contested(final long seed)
    {
        final RunResult run = behind(seed);
        final Settings of = run.settings();
        return new RunResult(run.version(), run.command(), run.start(), run.machine(),
            new Settings("f", Map.of("READ-MODIFY-WRITE", 1.0), "version", 0, of.distribution(), of.records(), 0,
                of.durationMs(), 0, 1, 1, 0, 10, 100, of.keyOrder(), 1, true),
            run.store(), run.phases());
    }

    /** One whose every text is given. */
    static RunResult named(final String text)
    {
        final RunResult run = workloadB(1, 7);
        final Settings of = run.settings();
        final PhaseResult phase = run.phases().get(1);
        final List<OperationResult> operations = List.of(new OperationResult(
            text, phase.operations().get(0).service(), null, new Histogram(3)));
        return new RunResult(text, List.of("kvctl", text), START,
            new Machine(text, text, text, 2, 1 << 30, text),
            new Settings(text, Map.of(text, 1.0), text, 0, text, of.records(), 0, of.durationMs(), 0, 1, 1, 0, 10, 100,
                text, 1, true),
            new StoreFacts("server", text, text, 1, 1 << 28, false),
            List.of(new PhaseResult("run", START, phase.elapsedNs(), PhaseResult.Ending.DONE, phase.done(), 0, 0,
                Conflicts.NONE, operations, phase.intervals(), List.of(new FailureCount(text, text, 1, text)),
                new Verification(1, List.of(new Verification.FaultCount(text, 1, text))), phase.client(), 1, 1,
                List.of(text))));
    }

    private static RunResult run(
        final String host, final List<String> command, final double speed, final long seed, final List<String> notes)
    {
        final Map<String, Double> mix = new LinkedHashMap<>();
        mix.put("READ", 0.95);
        mix.put("UPDATE", 0.05);
        final Random random = new Random(seed);
        return new RunResult(
            "0.1.0",
            command,
            START,
            new Machine(host, "Linux 6.1.0 amd64", "A processor of 3 GHz", 8, 16L << 30, "17.0.12 (A maker)"),
            new Settings("b", mix, "plain", 0, "ycsb-zipfian", 1_000_000, 0, 30_000, 3000, 4, 1, 0, 10, 100, "hashed",
                42, true),
            new StoreFacts("server", "127.0.0.1:19875", "shm", 1, 4L << 30, true),
            List.of(load(random, speed), mixed(random, speed, notes)));
    }

    private static PhaseResult load(final Random random, final double speed)
    {
        final List<IntervalResult> intervals = new ArrayList<>();
        for (int second = 0; second < 8; second++)
        {
            final long count = (long)(125_000 * speed * (0.9 + 0.2 * random.nextDouble()));
            intervals.add(new IntervalResult(
                second * 1000L, 1000, 0, List.of(operation("INSERT", random, count, 16_000))));
        }
        return new PhaseResult(
            "load", START, 8 * SECOND_NS, PhaseResult.Ending.DONE, 1_000_000, 0, 0, Conflicts.NONE,
            List.of(new OperationResult(
                "INSERT", histogram(random, 30_000, 15_000 / speed, 0.4), null, new Histogram(3))),
            intervals, List.of(), new Verification(0, List.of()),
            new ClientTotals(0, 0, 0, 0, 0, 0, 0, 0, 1_000_000, 0), 6 * SECOND_NS, 7 * SECOND_NS, List.of());
    }

    private static PhaseResult mixed(final Random random, final double speed, final List<String> notes)
    {
        final List<IntervalResult> intervals = new ArrayList<>();
        long done = 0;
        for (int second = 0; second < SECONDS; second++)
        {
            final double dip = second == 17 ? 0.55 : 1;
            final long count = (long)(1_450_000 * speed * dip * (0.95 + 0.1 * random.nextDouble()));
            done += count;
            intervals.add(new IntervalResult(second * 1000L, 1000, 0, List.of(
                operation("READ", random, count * 95 / 100, 900 / dip),
                operation("UPDATE", random, count * 5 / 100, 14_000 / dip))));
        }
        final long gets = done * 95 / 100;
        return new PhaseResult(
            "run", START.plusSeconds(12), SECONDS * SECOND_NS, PhaseResult.Ending.DONE, done, 0, 0, Conflicts.NONE,
            List.of(
                new OperationResult("READ", histogram(random, 100_000, 850 / speed, 0.35), null, new Histogram(3)),
                new OperationResult("UPDATE", histogram(random, 20_000, 13_000 / speed, 0.3), null, new Histogram(3))),
            intervals, List.of(), new Verification(gets, List.of()),
            new ClientTotals(gets, 0, gets * 98 / 100, gets * 2 / 100, gets + gets / 700, gets * 1100, gets / 700, 12,
                done / 20, 0),
            (long)(0.31 * SECONDS * SECOND_NS), (long)(3.9 * SECONDS * SECOND_NS), notes);
    }

    private static IntervalResult.Operation operation(
        final String name, final Random random, final long count, final double medianNs)
    {
        final double stretch = 0.9 + 0.25 * random.nextDouble();
        final double slowest = 40 * (1 + 20 * Math.pow(random.nextDouble(), 6));
        return new IntervalResult.Operation(name, count, 0, (long)(medianNs * stretch),
            (long)(3 * medianNs * stretch * stretch), (long)(medianNs * slowest));
    }

    /** Lognormal, with a tail. */
    private static Histogram histogram(
        final Random random, final int count, final double medianNs, final double deviation)
    {
        final Histogram histogram = new Histogram(3);
        for (int i = 0; i < count; i++)
        {
            final double tail = random.nextInt(1000) == 0 ? 1 + 30 * random.nextDouble() : 1;
            histogram.recordValue((long)(medianNs * Math.exp(deviation * random.nextGaussian()) * tail));
        }
        return histogram;
    }
}
