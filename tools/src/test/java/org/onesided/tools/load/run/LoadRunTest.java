package org.onesided.tools.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.tools.load.output.FailureCount;
import org.onesided.tools.load.output.IntervalResult;
import org.onesided.tools.load.output.OperationResult;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.ProgressLine;
import org.onesided.tools.load.output.ResultTable;
import org.onesided.tools.load.output.RunResult;
import org.onesided.tools.load.output.Verification;
import org.onesided.tools.load.report.Comparison;
import org.onesided.tools.load.report.ReportRun;
import org.onesided.tools.load.workload.CoreWorkloads;
import org.onesided.tools.load.workload.Workload;
import org.onesided.tools.load.workload.WorkloadProperties;
import org.onesided.tools.text.Amounts;

/**
 * Whole runs against a map, an honest one or one that lies.
 */
class LoadRunTest
{
    private static final int OPERATIONS = 20_000;
    private static final int RECORDS = 50;
    private static final Map<String, String> ENDLESS = Map.of("operationcount", "0");

    @ParameterizedTest
    @CsvSource({
        "CHANGE_A_BYTE, c, 1, never-written",
        "GIVE_ANOTHER_KEYS, c, 1, another-key",
        "GIVE_THE_FIRST, a, 1, older",
        "GIVE_THE_FIRST, a, 3, older",
        "GIVE_THE_FIRST, f, 2, older",
        "GIVE_NOTHING, c, 1, lost",
        "GIVE_NOTHING, d, 2, lost",
        "DROP_A_PUT, a, 1, older",
        "DROP_A_PUT, a, 3, older"})
    void shouldCatch(final LyingAccess.Lie lie, final String letter, final int threads, final String fault)
    {
        final RunResult result = run(plan(letter, threads, Map.of()), new LyingAccess(lie));

        final PhaseResult phase = last(result);
        final List<Verification.FaultCount> faults = phase.verification().faults();
        assertEquals(List.of(fault), faults.stream().map(Verification.FaultCount::kind).toList());
        assertTrue(faults.get(0).count() >= 5, faults.toString());
        assertTrue(faults.get(0).example().contains("key number"), faults.toString());
        // Each fault is a failed operation.
        assertEquals(faults.get(0).count(), phase.failures().stream().mapToLong(FailureCount::count).sum());
        assertEquals(OPERATIONS, phase.done() + phase.failed());
    }

    @ParameterizedTest
    @CsvSource({"a, 1", "b, 4", "c, 1", "d, 4", "f, 3"})
    void shouldFindAnHonestStoreHonest(final String letter, final int threads)
    {
        final RunResult result = run(plan(letter, threads, Map.of()), new LyingAccess(LyingAccess.Lie.NONE));

        assertEquals(List.of("load", "run"), result.phases().stream().map(PhaseResult::name).toList());
        assertEquals(RECORDS, result.phases().get(0).done());
        final PhaseResult phase = last(result);
        assertEquals(PhaseResult.Ending.DONE, phase.ending());
        assertEquals(OPERATIONS, phase.done());
        assertEquals(0, phase.failed());
        assertEquals(List.of(), phase.verification().faults());
        assertEquals(count(phase, "READ"), phase.verification().verified());
        assertTrue(result.settings().verified());
        assertTrue(phase.elapsedNs() > 0);
        // Each was counted once in the whole, and once in its second.
        for (final OperationResult operation : phase.operations())
        {
            assertEquals(operation.service().getTotalCount(), phase.intervals().stream()
                .flatMap(interval -> interval.operations().stream())
                .filter(one -> one.operation().equals(operation.operation()))
                .mapToLong(one -> one.count()).sum());
            assertNull(operation.intended());
        }
    }

    @Test
    void shouldTakeAMissingKeyForAMissWhereKeysExpire()
    {
        // Nothing is put in this phase.
        final RunResult result = run(
            plan("c", 1, Map.of("onesided.ttl", "1s")), new LyingAccess(LyingAccess.Lie.GIVE_NOTHING));

        final PhaseResult phase = last(result);
        assertEquals(1_000, result.settings().ttlMs());
        assertEquals(OPERATIONS, phase.done());
        assertEquals(OPERATIONS, count(phase, "READ"));
        assertEquals(List.of(), phase.verification().faults());
        assertTrue(phase.verification().verified() < OPERATIONS);
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "false, 1000", "true, 3600000"})
    void shouldTakeAMissingKeyForAMissWhereTheServerLetsKeysLeave(final boolean evicts, final long defaultTtlMs)
    {
        // Nothing is put in this phase.
        final PhaseResult phase = last(run(
            plan("c", 1, Map.of()), new LyingAccess(LyingAccess.Lie.GIVE_NOTHING, evicts, defaultTtlMs)));

        assertEquals(OPERATIONS, phase.done());
        assertEquals(List.of(), phase.verification().faults());
        assertTrue(phase.verification().verified() < OPERATIONS);
    }

    /** An eviction may come right after the put. */
    @Test
    void shouldTakeAMissingKeyForAMissThoughItWasPutJustNowWhereTheServerEvicts()
    {
        final PhaseResult phase = last(run(
            plan("a", 1, Map.of("onesided.ttl", "1h")), new LyingAccess(LyingAccess.Lie.GIVE_NOTHING, true, 0)));

        assertEquals(List.of(), phase.verification().faults());
        assertEquals(0, phase.failed());
    }

    @Test
    void shouldCatchAMissingKeyWhoseDefaultTimeIsNotOver()
    {
        final PhaseResult phase = last(run(
            plan("a", 1, Map.of()), new LyingAccess(LyingAccess.Lie.GIVE_NOTHING, false, 3_600_000)));

        assertEquals("lost", phase.verification().faults().get(0).kind());
    }

    @Test
    void shouldCatchAMissingKeyWhoseTimeIsNotOver()
    {
        final PhaseResult phase = last(run(
            plan("a", 1, Map.of("onesided.ttl", "1h")), new LyingAccess(LyingAccess.Lie.GIVE_NOTHING)));

        assertEquals("lost", phase.verification().faults().get(0).kind());
        assertTrue(phase.verification().faults().get(0).example().contains("before its time is over"));
        assertEquals(phase.failed(), phase.verification().faultCount());
    }

    /** What is there is verified as ever. */
    @Test
    void shouldCatchAnOldValueWhereKeysExpire()
    {
        final PhaseResult phase = last(run(
            plan("a", 1, Map.of("onesided.ttl", "1s")), new LyingAccess(LyingAccess.Lie.GIVE_THE_FIRST)));

        assertEquals("older", phase.verification().faults().get(0).kind());
    }

    @Test
    void shouldCountWhatTheClientDidFromTheFirstOperationOn()
    {
        final PhaseResult phase = last(run(plan("c", 2, Map.of("operationcount", "100")), HookedAccess.slow(0)));

        assertEquals(100, phase.done());
        assertEquals(100, phase.client().gets());
    }

    @Test
    void shouldCountThePartsOfAReadModifyWriteToo()
    {
        final PhaseResult phase = last(run(plan("f", 1, Map.of()), new MapAccess()));

        final Map<String, Long> counts = counts(phase);
        assertEquals(counts.get("UPDATE"), counts.get("READ-MODIFY-WRITE"));
        assertEquals(OPERATIONS, counts.get("READ"));
        assertEquals(OPERATIONS, phase.done());
    }

    @Test
    void shouldGiveUpReadModifyWritesWhoseKeyWasChanged()
    {
        final RunResult result = run(
            plan("f", 1, Map.of("onesided.readmodifywrite", "version")), HookedAccess.contested(10));

        final PhaseResult phase = last(result);
        final Map<String, Long> counts = counts(phase);
        final long begun = OPERATIONS - (counts.get("READ") - phase.conflicts().puts() - counts.get("UPDATE"));
        assertEquals(begun / 10, phase.conflicts().puts());
        assertEquals(begun / 10, phase.conflicts().givenUp());
        assertEquals(begun / 10, phase.intervals().stream().mapToLong(IntervalResult::conflicts).sum());
        assertEquals(begun - begun / 10, counts.get("READ-MODIFY-WRITE"));
        assertEquals(begun - begun / 10, counts.get("UPDATE"));
        assertEquals(OPERATIONS, counts.get("READ"));
        assertEquals(OPERATIONS, phase.done() + phase.conflicts().givenUp());
        assertEquals(0, phase.failed());
        assertEquals(List.of(), phase.verification().faults());
        final String table = ResultTable.of(result);
        assertTrue(table.contains("read-modify-writes by version, given up after a conflict\n"), table);
        assertTrue(table.contains("run: 20,000 operations in "), table);
        assertTrue(table.contains(" (" + Amounts.count(phase.done()) + " done, " + Amounts.count(begun / 10) +
            " given up)\n"), table);
        assertTrue(table.contains("\nconflicts   " + Amounts.count(begun / 10) + "\n"), table);
        final String figures = Comparison.of(List.of(ReportRun.of("", result))).plain();
        assertTrue(figures.contains("run\tconflicts\t1\t" + begun / 10 + "\n"), figures);
    }

    @Test
    void shouldBeginReadModifyWritesAgainAfterAConflict()
    {
        final RunResult result = run(
            plan("f", 1, Map.of("onesided.readmodifywrite", "retry")), HookedAccess.contested(10));

        final PhaseResult phase = last(result);
        final Map<String, Long> counts = counts(phase);
        final long conflicts = phase.conflicts().puts();
        // Every tenth of all puts has one.
        assertEquals((counts.get("UPDATE") + conflicts) / 10, conflicts);
        assertEquals(0, phase.conflicts().givenUp());
        assertEquals(counts.get("UPDATE"), counts.get("READ-MODIFY-WRITE"));
        assertEquals(OPERATIONS + conflicts, counts.get("READ"));
        assertEquals(OPERATIONS, phase.done());
        assertEquals(List.of(), phase.verification().faults());
        final String table = ResultTable.of(result);
        assertTrue(table.contains("read-modify-writes by version, again after a conflict\n"), table);
    }

    @Test
    void shouldEndThoughEachPutHasAConflict()
    {
        final Workload workload = workload("f", Map.of("operationcount", "0", "onesided.readmodifywrite", "retry"));
        final RunPlan plan = new RunPlan(workload, RunPlan.Phases.BOTH, 1, 1, 0, 100_000_000, 0,
            RunPlan.Verify.ON, 1);
        final PhaseResult phase = last(run(plan, HookedAccess.contested(1)));

        assertEquals(PhaseResult.Ending.DONE, phase.ending());
        assertTrue(phase.conflicts().puts() > 0);
        assertEquals(1, phase.conflicts().givenUp());
        assertEquals(0, count(phase, "READ-MODIFY-WRITE"));
    }

    @Test
    void shouldCountReadModifyWritesOfSeveralThreadsOnce()
    {
        final PhaseResult phase = last(run(plan("f", 4, Map.of("onesided.readmodifywrite", "retry")), new MapAccess()));

        assertEquals(OPERATIONS, phase.done());
        assertEquals(OPERATIONS + phase.conflicts().puts(), count(phase, "READ"));
        assertEquals(0, phase.conflicts().givenUp());
    }

    @Test
    void shouldCountFailuresByKind()
    {
        final PhaseResult phase = last(run(plan("b", 2, Map.of()), new LyingAccess(LyingAccess.Lie.THROW)));

        assertEquals(1, phase.failures().size());
        final FailureCount failure = phase.failures().get(0);
        assertEquals("READ", failure.operation());
        assertEquals("other", failure.kind());
        assertEquals("no lookup today", failure.example());
        assertEquals(phase.failed(), failure.count());
        assertEquals(OPERATIONS, phase.done() + phase.failed());
        final OperationResult read = phase.operations().get(0);
        assertEquals(failure.count(), read.failed().getTotalCount());
        assertEquals(phase.verification().verified(), read.service().getTotalCount());
    }

    @Test
    void shouldRecordFromTheIntendedStart()
    {
        // Each of these lookups takes 2 ms, but 1,000 a second are wanted: the last begins half a second late.
        final Map<String, String> properties = Map.of("target", "1000", "operationcount", "500");
        final PhaseResult phase = last(run(plan("c", 1, properties), HookedAccess.slow(2)));

        final OperationResult read = phase.operations().get(0);
        assertEquals(500, read.service().getTotalCount());
        assertEquals(500, read.intended().getTotalCount());
        assertTrue(read.service().getMinValue() >= 1_990_000, "min " + read.service().getMinValue());
        assertTrue(read.intended().getMaxValue() >= 450_000_000L, "max " + read.intended().getMaxValue());
        assertTrue(read.intended().getMean() > read.service().getMean());
        assertTrue(phase.elapsedNs() >= 990_000_000L, "elapsed " + phase.elapsedNs());
        phase.intervals().forEach(interval -> assertEquals(0, interval.startMs() % 1000));
    }

    @Test
    void shouldKeepToTheTarget()
    {
        final Map<String, String> properties = Map.of("target", "2000", "operationcount", "600");
        final PhaseResult phase = last(run(plan("b", 3, properties), new MapAccess()));

        assertEquals(600, phase.done());
        // The last is due after 299.5 ms, and no operation begins before it is due.
        assertTrue(phase.elapsedNs() >= 299_000_000L, "elapsed " + phase.elapsedNs());
    }

    @Test
    void shouldEndByTimeAndTellWhatWasLeft()
    {
        final RunPlan plan = new RunPlan(workload("c", ENDLESS), RunPlan.Phases.BOTH, 1, 1, 100_000, 300_000_000, 0,
            RunPlan.Verify.AUTO, 1);
        final PhaseResult phase = last(run(plan, HookedAccess.slow(5)));

        assertEquals(PhaseResult.Ending.DONE, phase.ending());
        assertTrue(phase.elapsedNs() >= 300_000_000L, "elapsed " + phase.elapsedNs());
        assertEquals(30_000, phase.done() + phase.behind());
    }

    @Test
    void shouldDropTheBacklogOfTheWarmUp()
    {
        // The warm-up leaves more than a hundred thousand operations undone, which would take minutes.
        final RunPlan plan = new RunPlan(workload("c", Map.of("operationcount", "20")), RunPlan.Phases.BOTH, 2, 1,
            1_000_000, 0, 200_000_000, RunPlan.Verify.AUTO, 1);
        final HookedAccess store = HookedAccess.slow(2);
        final PhaseResult phase = last(run(plan, store));

        assertEquals(20, phase.done());
        assertEquals(0, phase.behind());
        assertEquals(20, phase.operations().get(0).intended().getTotalCount());
        assertTrue(store.calls() < 10_000, "calls " + store.calls());
    }

    @Test
    void shouldNotBeBehindByMoreThanWasAskedFor()
    {
        final RunPlan plan = new RunPlan(workload("c", Map.of("operationcount", "1000")), RunPlan.Phases.BOTH, 2, 1,
            100_000, 300_000_000, 0, RunPlan.Verify.AUTO, 1);
        final PhaseResult phase = last(run(plan, HookedAccess.slow(5)));

        assertTrue(phase.behind() > 0, "done " + phase.done());
        assertEquals(1000, phase.done() + phase.behind());
    }

    @Test
    void shouldCountTheWholeTimeThatItWasGiven()
    {
        // One at the begin, and none that is due before the end.
        final RunPlan plan = new RunPlan(workload("c", ENDLESS), RunPlan.Phases.BOTH, 1, 1, 0.001, 200_000_000, 0,
            RunPlan.Verify.AUTO, 1);
        final PhaseResult phase = last(run(plan, new MapAccess()));

        assertTrue(phase.done() <= 1, "done " + phase.done());
        assertTrue(phase.elapsedNs() >= 200_000_000L, "elapsed " + phase.elapsedNs());
    }

    @Test
    void shouldLeaveTheWarmUpOut()
    {
        // On a machine that is busy enough, nothing begins while the clients warm up; then they are given longer.
        long warmUpNs = 200_000_000;
        while (!leavesTheWarmUpOut(warmUpNs))
        {
            warmUpNs *= 2;
            assertTrue(warmUpNs < 20_000_000_000L, "nothing was done to warm up");
        }
    }

    /** Tells whether there was something to leave out. */
    private static boolean leavesTheWarmUpOut(final long warmUpNs)
    {
        final int count = 1000;
        final Workload workload = workload("b", Map.of("operationcount", Integer.toString(count)));
        final RunPlan plan = new RunPlan(workload, RunPlan.Phases.BOTH, 2, 1, 0, 0, warmUpNs, RunPlan.Verify.ON, 1);
        final HookedAccess store = HookedAccess.kept();
        final PhaseResult phase = last(run(plan, store));

        assertEquals(count, phase.done());
        assertEquals(count, counts(phase).values().stream().mapToLong(Long::longValue).sum());
        assertEquals(count(phase, "READ"), phase.verification().verified());
        return store.calls() > RECORDS + count;
    }

    @Test
    void shouldEndEarlyWhenInterrupted() throws Exception
    {
        final HookedAccess store = HookedAccess.kept();
        final RunPlan plan = new RunPlan(workload("b", ENDLESS), RunPlan.Phases.BOTH, 2, 1, 0, 0, 0,
            RunPlan.Verify.ON, 1);
        final RunResult[] result = new RunResult[1];
        final Thread thread = new Thread(() -> result[0] = run(plan, store));
        thread.start();
        final long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
        while (store.calls() < RECORDS + 1000)
        {
            assertTrue(thread.isAlive() && System.nanoTime() - endNs < 0, "calls " + store.calls());
            Thread.yield();
        }
        thread.interrupt();
        thread.join();

        assertEquals(PhaseResult.Ending.INTERRUPTED, last(result[0]).ending());
        assertEquals(store.calls(), RECORDS + last(result[0]).done());
    }

    @Test
    void shouldNotRunOnRecordsThatCouldNotBePut()
    {
        final RunResult result = run(plan("b", 2, Map.of()), HookedAccess.full());

        assertEquals(1, result.phases().size());
        assertEquals(PhaseResult.Ending.FAILED, last(result).ending());
        assertEquals("other", last(result).failures().get(0).kind());
    }

    @Test
    void shouldPassOnAnErrorInOpening()
    {
        final Error error = new NoClassDefFoundError("no such thing");

        assertSame(error, assertThrows(
            NoClassDefFoundError.class, () -> run(plan("b", 3, Map.of()), HookedAccess.broken(error))));
    }

    @ParameterizedTest
    @CsvSource({"uniform", "exact-zipfian"})
    void shouldLoadAndAskForItsPartOnly(final String distribution)
    {
        final Map<String, String> properties =
            Map.of("insertstart", "10", "insertcount", "20", "requestdistribution", distribution);
        final RunResult result = run(plan("b", 3, properties), new MapAccess());

        assertEquals(20, result.phases().get(0).done());
        assertEquals(0, last(result).failed());
    }

    /** As with YCSB, whose zipfian asks for the record behind its part, too. */
    @Test
    void shouldNotCallLostWhatOthersHadToLoad()
    {
        final Map<String, String> properties = Map.of("insertstart", "10", "insertcount", "20");
        final PhaseResult phase = last(run(plan("c", 1, properties), new MapAccess()));

        assertEquals(List.of(), phase.verification().faults());
        assertEquals("not-found", phase.failures().get(0).kind());
    }

    @Test
    void shouldVerifyByDefaultOnlyWhatLoadRunsWrote()
    {
        final HookedAccess store = HookedAccess.kept();
        final Workload workload = workload("c", Map.of());
        run(new RunPlan(workload, RunPlan.Phases.LOAD, 1, 1, 0, 0, 0, RunPlan.Verify.AUTO, 1), store);
        final RunPlan run = new RunPlan(workload, RunPlan.Phases.RUN, 1, 1, 0, 0, 0, RunPlan.Verify.AUTO, 1);
        assertTrue(run(run, store).settings().verified());

        final StoreAccess others = HookedAccess.kept();
        try (StoreAccess.Session session = others.open())
        {
            final UnsafeBuffer key = new UnsafeBuffer(new byte[workload.keyNames().maxLength()]);
            for (int i = 0; i < RECORDS; i++)
            {
                session.put(key, workload.keyNames().write(i, key), new UnsafeBuffer(new byte[70]), 70);
            }
        }
        final RunResult unverified = run(run, others);
        assertFalse(unverified.settings().verified());
        assertEquals(OPERATIONS, last(unverified).done());
        assertEquals(List.of("values are not verified: of 16 records looked at, kvctl load wrote 0"),
            last(unverified).notes());
        // Values too short for what would tell.
        assertFalse(run(plan("c", 1, Map.of("fieldcount", "1", "fieldlength", "39")), new MapAccess())
            .settings().verified());
    }

    @ParameterizedTest
    @CsvSource({"0", "25", "49"})
    void shouldVerifyThoughOneRecordIsForeign(final int item)
    {
        final HookedAccess store = HookedAccess.kept();
        final Workload workload = workload("c", Map.of());
        run(new RunPlan(workload, RunPlan.Phases.LOAD, 1, 1, 0, 0, 0, RunPlan.Verify.AUTO, 1), store);
        try (StoreAccess.Session session = store.open())
        {
            final UnsafeBuffer key = new UnsafeBuffer(new byte[workload.keyNames().maxLength()]);
            session.put(key, workload.keyNames().write(item, key), new UnsafeBuffer(new byte[70]), 70);
        }
        final RunResult result = run(
            new RunPlan(workload, RunPlan.Phases.RUN, 1, 1, 0, 0, 0, RunPlan.Verify.AUTO, 1), store);

        assertTrue(result.settings().verified());
        assertEquals("never-written", last(result).verification().faults().get(0).kind());
        assertEquals(List.of(), last(result).notes());
    }

    private static RunPlan plan(final String letter, final int threads, final Map<String, String> properties)
    {
        final String target = properties.getOrDefault("target", "0");
        return new RunPlan(workload(letter, properties), RunPlan.Phases.BOTH, threads, 1,
            Double.parseDouble(target), 0, 0, RunPlan.Verify.AUTO, 1);
    }

    private static Workload workload(final String letter, final Map<String, String> properties)
    {
        final Map<String, String> all = new HashMap<>(CoreWorkloads.properties(letter));
        all.put("recordcount", Integer.toString(RECORDS));
        all.put("operationcount", Integer.toString(OPERATIONS));
        all.put("fieldcount", "2");
        all.put("fieldlength", "50");
        all.putAll(properties);
        return new WorkloadProperties(all).workload(letter);
    }

    private static RunResult run(final RunPlan plan, final StoreAccess store)
    {
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final ProgressLine progress = new ProgressLine(new PrintStream(err, true, UTF_8), false);
        try (LoadRun run = LoadRun.inThisProcess(plan, store, address -> () -> LoadRun.UNKNOWN_NS, progress, null))
        {
            final RunResult result = run.run("test", List.of("kvctl", "load"));
            assertEquals("", err.toString(UTF_8));
            return result;
        }
    }

    private static PhaseResult last(final RunResult result)
    {
        return result.phases().get(result.phases().size() - 1);
    }

    private static long count(final PhaseResult phase, final String operation)
    {
        return counts(phase).getOrDefault(operation, 0L);
    }

    private static Map<String, Long> counts(final PhaseResult phase)
    {
        return phase.operations().stream().collect(Collectors.toMap(
            OperationResult::operation, operation -> operation.service().getTotalCount()));
    }
}
