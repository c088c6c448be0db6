package org.onesided.tools.load.output;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * A small result in which everything occurs.
 */
final class ExampleResult
{
    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

    private ExampleResult()
    {
    }

    static RunResult create()
    {
        final Map<String, Double> mix = new LinkedHashMap<>();
        mix.put("READ", 0.95);
        mix.put("UPDATE", 0.05);
        return new RunResult(
            "0.1.0",
            List.of("kvctl", "load", "--workload", "b", "--target", "10000", "--duration", "5s", "-o", "json"),
            START,
            new Machine("host1", "Linux 6.1.0 amd64", "A processor of 3 GHz", 8, 16L << 30, "17.0.12 (A maker)"),
            new Settings("b", mix, "plain", 0, "ycsb-zipfian", 1000, 0, 5000, 1000, 2, 1, 10_000, 10, 100, "hashed",
                42, true),
            new StoreFacts("server", "127.0.0.1:19875", "shm", 1, 256L << 20, false),
            List.of(load(), run()));
    }

    private static PhaseResult load()
    {
        return new PhaseResult(
            "load", START, 50_000_000, PhaseResult.Ending.DONE, 1000, 0, 0, Conflicts.NONE,
            List.of(new OperationResult("INSERT", histogram(1000, 20_000), null, new Histogram(3))),
            List.of(new IntervalResult(0, 50, 0, List.of(
                new IntervalResult.Operation("INSERT", 1000, 0, 30_000, 39_000, 40_000)))),
            List.of(),
            new Verification(0, List.of()),
            new ClientTotals(0, 0, 0, 0, 0, 0, 0, 0, 1000, 0),
            40_000_000, 60_000_000, List.of());
    }

    private static PhaseResult run()
    {
        final List<IntervalResult> intervals = new ArrayList<>();
        for (int second = 0; second < 5; second++)
        {
            intervals.add(new IntervalResult(second * 1000L, 1000, 0, List.of(
                new IntervalResult.Operation("READ", 9400 + 10 * second, 0, 700 + second, 1500, 9000),
                new IntervalResult.Operation("UPDATE", 500, second == 3 ? 2 : 0, 15_000 + second, 30_000, 90_000))));
        }
        return new PhaseResult(
            "run", START.plusSeconds(2), 5_000_000_000L, PhaseResult.Ending.INTERRUPTED, 49_600, 2, 398, Conflicts.NONE,
            List.of(
                new OperationResult("READ", histogram(47_100, 600), histogram(47_100, 700), new Histogram(3)),
                new OperationResult("UPDATE", histogram(2_500, 14_000), histogram(2_500, 15_000), histogram(2, 5_000))),
            intervals,
            List.of(new FailureCount("UPDATE", "deadline", 2, "deadline passed before the answer came: key=user1")),
            new Verification(47_100, List.of(
                new Verification.FaultCount("another-key", 1, "user7 has the value of key number 8"))),
            new ClientTotals(47_100, 10, 46_000, 1_100, 47_150, 52_000_000, 50, 0, 2_500, 1),
            300_000_000, 4_000_000_000L, List.of("client 2 of 2 died: exit code 137; its last second is missing"));
    }

    private static Histogram histogram(final int count, final long lowestNs)
    {
        final Histogram histogram = new Histogram(3);
        for (int i = 0; i < count; i++)
        {
            histogram.recordValue(lowestNs + lowestNs * i / count);
        }
        return histogram;
    }
}
