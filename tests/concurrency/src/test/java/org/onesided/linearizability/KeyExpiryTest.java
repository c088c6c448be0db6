package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/** {@link KeyChecker} on histories of keys that expire. */
class KeyExpiryTest
{
    private static final long A = 101;
    private static final long B = 102;
    private static final long TTL = 100;
    /** For how long READs may find a key that has expired. */
    private static final long LINGER = 50;

    private final List<Operation> history = new ArrayList<>();

    @Test
    void shouldTakeAKeyThatIsThereUntilItsTimeComes()
    {
        put(0, 10, A, TTL);
        ask(90, 95, A);
        get(96, 99, A);
        ask(120, 121, 0);
        get(122, 123, 0);
        assertGood();
    }

    @Test
    void shouldRejectAKeyThatVanishesTooEarly()
    {
        put(0, 10, A, TTL);
        get(98, 99, 0);
        assertBad();
    }

    @Test
    void shouldTakeAnAbsenceFromTheFirstMomentOnWhenTheTimeMayHaveCome()
    {
        put(0, 10, A, TTL);
        get(98, 100, 0);
        assertGood();
        ask(101, 102, A);
        assertBad();
    }

    @Test
    void shouldLetReadsButNoRequestsFindAKeyThatIsOverdue()
    {
        put(0, 10, A, TTL);
        ask(101, 102, 0);
        get(103, 104, A);
        contains(105, 106, true);
        get(107, 108, 0);
        assertGood();
        ask(109, 110, A);
        assertBad();
    }

    @Test
    void shouldRejectARequestThatFindsAKeyAfterItsTime()
    {
        put(0, 10, A, TTL);
        ask(111, 112, A);
        assertBad();
    }

    @Test
    void shouldRejectAReadThatFindsAKeyTooLate()
    {
        put(0, 10, A, TTL);
        get(10 + TTL + LINGER, 200, A);
        assertGood();
        get(11 + TTL + LINGER, 200, A);
        assertBad();
    }

    @Test
    void shouldRejectAnOverdueValueBehindANewerOne()
    {
        put(0, 10, A, TTL);
        put(115, 116, B, Operation.FOR_EVER);
        get(117, 118, A);
        assertBad();
    }

    @Test
    void shouldRejectATimeThatRemovesANewerValue()
    {
        put(0, 10, A, TTL);
        put(20, 21, B, Operation.FOR_EVER);
        get(300, 301, B);
        assertGood();
        get(302, 303, 0);
        assertBad();
    }

    @Test
    void shouldRejectAnOldTimeAfterALaterOne()
    {
        put(0, 10, A, TTL);
        put(20, 21, B, 2 * TTL);
        get(150, 151, 0);
        assertBad();
    }

    @Test
    void shouldTakeAndRejectWhatATouchMakesOfTheTime()
    {
        put(0, 1, A, TTL);
        touch(50, 51, 3 * TTL, true);
        get(340, 341, A);
        get(360, 361, 0);
        assertGood();
        get(420, 421, A);
        assertBad();
    }

    @Test
    void shouldTakeATouchThatBringsTheTimeNearer()
    {
        put(0, 1, A, 10 * TTL);
        touch(50, 51, TTL, true);
        ask(149, 150, 0);
        assertGood();
    }

    @Test
    void shouldRejectATouchThatRevivesADeadKey()
    {
        put(0, 10, A, TTL);
        touch(111, 112, TTL, true);
        assertBad();
    }

    @Test
    void shouldRejectATouchThatRevivesAKeyThatARequestFoundAbsent()
    {
        put(0, 10, A, TTL);
        ask(101, 102, 0);
        touch(103, 104, TTL, true);
        assertBad();
    }

    @Test
    void shouldTakeATouchThatFindsNoKey()
    {
        put(0, 10, A, TTL);
        touch(104, 105, TTL, false);
        assertGood();
        ask(106, 107, A);
        assertBad();
    }

    @Test
    void shouldLetAPersistedKeyStay()
    {
        put(0, 10, A, TTL);
        touch(50, 51, Operation.FOR_EVER, true);
        get(500, 501, A);
        assertGood();
        get(502, 503, 0);
        assertBad();
    }

    @Test
    void shouldRejectAWriteThatLosesTheTimeItHadToKeep()
    {
        put(0, 10, A, TTL);
        add(Kind.PUT, Fate.DONE, B, 20, 21, A, Operation.KEEP);
        get(90, 91, B);
        get(200, 201, 0);
        assertGood();
        history.remove(history.size() - 1);
        get(200, 201, B);
        assertBad();
    }

    @Test
    void shouldLetAPutUnderAConditionInsertAfterTheTime()
    {
        put(0, 10, A, TTL);
        add(Kind.PUT, Fate.DONE, B, 102, 103, Operation.ABSENT, Operation.FOR_EVER);
        get(300, 301, B);
        assertGood();
    }

    @Test
    void shouldRejectAConditionThatHoldsForADeadKey()
    {
        put(0, 10, A, TTL);
        add(Kind.PUT, Fate.DONE, B, 111, 112, A, Operation.KEEP);
        assertBad();
    }

    @Test
    void shouldRejectADeleteOfADeadKey()
    {
        put(0, 10, A, TTL);
        add(Kind.DELETE, Fate.DONE, Operation.PRESENT, 111, 112, Operation.ANY, Operation.FOR_EVER);
        assertBad();
    }

    @Test
    void shouldCompareTheTimeThatIsLeftWithThatOfTheWrite()
    {
        put(0, 10, A, TTL);
        ttl(50, 51, 52);
        assertGood();
        ttl(60, 61, 90);
        assertBad();
    }

    @Test
    void shouldRejectATimeOfAKeyThatHasNone()
    {
        put(0, 10, A, Operation.FOR_EVER);
        ttl(50, 51, Operation.FOR_EVER);
        assertGood();
        ttl(60, 61, 90);
        assertBad();
    }

    @Test
    void shouldRejectAKeyThatHasNoTimeAlthoughItWasGivenOne()
    {
        put(0, 10, A, TTL);
        ttl(50, 51, Operation.FOR_EVER);
        assertBad();
    }

    @Test
    void shouldLetATouchOfUnknownFateTakeEffectOrNot()
    {
        put(0, 10, A, TTL);
        add(Kind.TOUCH, Fate.UNKNOWN, Operation.ANY, 50, 51, Operation.ANY, 10 * TTL);
        get(500, 501, A);
        assertGood();
        history.remove(history.size() - 1);
        get(200, 201, 0);
        assertGood();
        get(202, 203, A);
        assertBad();
    }

    @Test
    void shouldLetAPutOfUnknownFateBringATime()
    {
        put(0, 10, A, Operation.FOR_EVER);
        add(Kind.PUT, Fate.UNKNOWN, B, 50, 51, Operation.ANY, TTL);
        get(149, 151, 0);
        assertGood();
        history.remove(history.size() - 1);
        get(148, 149, 0);
        assertBad();
    }

    /** More than the checker tells apart. */
    @Test
    void shouldLetManyWritesOfUnknownFateExplainWhatTheyCan()
    {
        put(0, 10, A, TTL);
        for (int i = 0; i <= KeyChecker.MAX_UNKNOWN; i++)
        {
            add(Kind.TOUCH, Fate.UNKNOWN, Operation.ANY, 20 + i, 30, Operation.ANY, 10 * TTL);
            add(Kind.PUT, Fate.UNKNOWN, 1000 + i, 20 + i, 30, Operation.ANY, 10 * TTL);
        }
        get(500, 501, A);
        get(502, 503, 0);
        assertGood();
    }

    @Test
    void shouldTellHowEarlyAndLateATimeMayComeByWhatTheServerAnswered()
    {
        final long ms = 1_000_000;
        final long[] begins = new long[200];
        final long[] ends = new long[200];
        for (int i = 0; i < begins.length; i++)
        {
            // For a second the server stands still.
            begins[i] = (4 * i + (i > 100 ? 1000 : 0)) * ms;
            ends[i] = begins[i] + ms;
        }
        final ExpiryTimes times = new PulsedTimes(begins, ends);
        assertEquals((36 + 199 - 1) * ms, times.earliestNs(41 * ms, 200 * ms));
        assertEquals((40 + 199 - 1) * ms, times.earliestNs(45 * ms, 200 * ms));
        assertEquals(Long.MIN_VALUE, times.earliestNs(4 * ms, 200 * ms));
        assertEquals((248 + 1) * ms, times.latestNs(41 * ms, 200 * ms));
        assertEquals((296 + 1) * ms, times.goneNs(41 * ms, 200 * ms));
        assertEquals((1404 + 1) * ms, times.latestNs(198 * ms, 200 * ms));
        assertEquals((1444 + 1) * ms, times.goneNs(198 * ms, 200 * ms));
        assertEquals(Long.MAX_VALUE, times.latestNs(1790 * ms, 200 * ms));
        assertEquals(Long.MAX_VALUE, times.goneNs(1550 * ms, 200 * ms));
    }

    private void put(final long from, final long to, final long value, final long ttlNs)
    {
        add(Kind.PUT, Fate.DONE, value, from, to, Operation.ANY, ttlNs);
    }

    private void touch(final long from, final long to, final long ttlNs, final boolean isPresent)
    {
        add(Kind.TOUCH, Fate.DONE, presence(isPresent), from, to, Operation.ANY, ttlNs);
    }

    private void ttl(final long from, final long to, final long leftNs)
    {
        add(Kind.TTL, Fate.DONE, Operation.PRESENT, from, to, Operation.ANY, leftNs);
    }

    private void get(final long from, final long to, final long value)
    {
        add(Kind.GET, Fate.DONE, value, from, to, Operation.ANY, Operation.FOR_EVER);
    }

    private void ask(final long from, final long to, final long value)
    {
        add(Kind.ASK, Fate.DONE, value, from, to, Operation.ANY, Operation.FOR_EVER);
    }

    private void contains(final long from, final long to, final boolean isPresent)
    {
        add(Kind.CONTAINS, Fate.DONE, presence(isPresent), from, to, Operation.ANY, Operation.FOR_EVER);
    }

    private static long presence(final boolean isPresent)
    {
        return isPresent ? Operation.PRESENT : Operation.ABSENT;
    }

    private void add(
        final Kind kind,
        final Fate fate,
        final long value,
        final long from,
        final long to,
        final long expected,
        final long ttlNs)
    {
        history.add(new Operation(
            0, kind, fate, history.size(), value, Operation.NO_VERSION, from, to, expected, ttlNs));
    }

    private Violation check()
    {
        return KeyChecker.check(history, new ExpiryTimes()
        {
            @Override
            public long earliestNs(final long invokeNs, final long ttlNs)
            {
                return invokeNs + ttlNs;
            }

            @Override
            public long latestNs(final long endNs, final long ttlNs)
            {
                return endNs + ttlNs;
            }

            @Override
            public long goneNs(final long endNs, final long ttlNs)
            {
                return endNs + ttlNs + LINGER;
            }
        });
    }

    private void assertGood()
    {
        final Violation violation = check();
        assertNull(violation, () -> violation.text());
    }

    private void assertBad()
    {
        assertNotNull(check());
    }
}
