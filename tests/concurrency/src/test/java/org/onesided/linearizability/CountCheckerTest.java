package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

class CountCheckerTest
{
    @Test
    void shouldTakeAdditionsInAnOrderOfTheirCounts()
    {
        assertGood(add(2, 0, 10), add(1, 5, 15), count(0, 0, 6), count(2, 12, 20), count(1, 3, 9));
        assertGood();
        assertGood(count(0, 0, 1));
    }

    @Test
    void shouldFindAnAdditionThatTookEffectTwice()
    {
        assertBad("too few additions", add(1, 0, 1), count(2, 2, 3));
        assertBad("too few additions", add(1, 0, 1), add(3, 2, 3), count(3, 4, 5));
        assertBad("so many additions cannot make", add(2, 0, 1));
    }

    @Test
    void shouldFindAnAdditionThatGotLost()
    {
        assertBad("no order", add(1, 0, 1), count(0, 2, 3));
        assertBad("two additions", add(1, 0, 1), add(1, 2, 3));
        assertBad("no order", add(1, 0, 1), add(2, 2, 3), count(1, 4, 5));
    }

    @Test
    void shouldFindAnOrderThatTimeDoesNotAllow()
    {
        assertBad("no order", add(2, 0, 1), add(1, 2, 3));
        assertBad("no order", add(1, 0, 9), count(1, 1, 2), count(0, 3, 4));
        assertBad("no order", count(1, 0, 1), add(1, 2, 3));
    }

    @Test
    void shouldLetAnAdditionOfUnknownFateTakeEffectOnceOrNeverButNotBeforeItBegan()
    {
        assertGood(unknown(0), add(1, 2, 3), count(1, 4, 5));
        assertGood(unknown(0), add(2, 2, 3));
        assertGood(unknown(0), add(1, 2, 3), count(1, 4, 5), count(2, 9, 10));
        assertBad("too few additions", unknown(0), add(1, 2, 3), count(3, 4, 5));
        assertBad("no order", unknown(4), count(1, 1, 2));
        assertBad("no order", unknown(0), unknown(6), count(2, 3, 4));
    }

    @Test
    void shouldNotCountAnAdditionThatWasReportedNotToHaveTakenEffect()
    {
        final Operation refused = new Operation(0, Kind.ADD, Fate.NOT_APPLIED, 0, 0, 0, 0, 1);
        assertGood(refused, add(1, 2, 3));
        assertBad("so many additions cannot make|too few", refused, add(2, 2, 3));
    }

    @Test
    void shouldRefuseACorruptCount()
    {
        assertBad("so many additions cannot make", count(Operation.CORRUPT, 0, 1));
        assertBad("so many additions cannot make", count(Long.MAX_VALUE, 0, 1));
    }

    /** As a search through all orders does, for short histories of which most are nearly good. */
    @Test
    void shouldDecideAsASearchThroughAllOrders()
    {
        int good = 0;
        final int rounds = 20_000;
        for (int seed = 0; seed < rounds; seed++)
        {
            final Random random = new Random(seed);
            final List<Operation> history = new ArrayList<>();
            for (int i = 0, made = 0; i < 7; i++)
            {
                final long invokeNs = 10L * i - random.nextInt(25);
                final long returnNs = 10L * i + 1 + random.nextInt(25);
                final int mistake = random.nextInt(12) == 0 ? random.nextInt(3) - 1 : 0;
                switch (random.nextInt(5))
                {
                    case 0, 1 -> history.add(add(Math.max(1, ++made + mistake), invokeNs, returnNs));
                    case 2 ->
                    {
                        made += random.nextInt(2);
                        history.add(unknown(invokeNs));
                    }
                    default -> history.add(count(Math.max(0, made + mistake), invokeNs, returnNs));
                }
            }
            final boolean isGood = AllOrders.isLinearizable(history);
            assertEquals(isGood, CountChecker.check(history) == null, "seed=" + seed);
            good += isGood ? 1 : 0;
        }
        assertTrue(good > rounds / 10 && good < rounds * 9 / 10, "good=" + good);
    }

    private static void assertGood(final Operation... history)
    {
        final Violation violation = CountChecker.check(Arrays.asList(history));
        assertNull(violation, () -> violation.text());
    }

    private static void assertBad(final String reason, final Operation... history)
    {
        final Violation violation = CountChecker.check(Arrays.asList(history));
        assertNotNull(violation);
        assertTrue(violation.reason().matches(".*(" + reason + ").*"), violation.reason());
        assertTrue(violation.text().contains(violation.reason()));
    }

    private static Operation add(final long count, final long invokeNs, final long returnNs)
    {
        return new Operation(0, Kind.ADD, Fate.DONE, 0, count, 0, invokeNs, returnNs);
    }

    private static Operation unknown(final long invokeNs)
    {
        return new Operation(0, Kind.ADD, Fate.UNKNOWN, 0, 0, 0, invokeNs, invokeNs + 1);
    }

    private static Operation count(final long count, final long invokeNs, final long returnNs)
    {
        return new Operation(0, Kind.COUNT, Fate.DONE, 0, count, 0, invokeNs, returnNs);
    }
}
