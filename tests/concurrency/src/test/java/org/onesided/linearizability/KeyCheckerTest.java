package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;
import org.onesided.testing.TestSize;

class KeyCheckerTest
{
    private static final long A = 101;
    private static final long B = 102;
    private static final long C = 103;

    private final List<Operation> history = new ArrayList<>();

    @Test
    void shouldTakeWhatHappenedInTurn()
    {
        get(0, 1, 0);
        put(2, 3, A);
        get(4, 5, A);
        delete(6, 7, true);
        delete(8, 9, false);
        get(10, 11, 0);
        assertGood();
    }

    @Test
    void shouldTakeWritesWhoseConditionsHold()
    {
        putIf(0, 1, A, Operation.ABSENT);
        putIf(2, 3, B, Operation.PRESENT);
        putIf(4, 5, C, B);
        deleteIf(6, 7, C);
        get(8, 9, 0);
        assertGood();
    }

    @Test
    void shouldRejectAPutOverAValueAlthoughNoneWasExpected()
    {
        put(0, 1, A);
        putIf(2, 3, B, Operation.ABSENT);
        assertBad();
    }

    @Test
    void shouldRejectAPutOfAnAbsentKeyAlthoughAValueWasExpected()
    {
        putIf(2, 3, B, Operation.PRESENT);
        assertBad();
    }

    @Test
    void shouldRejectAPutOverAnotherValueThanTheExpectedOne()
    {
        put(0, 1, A);
        put(2, 3, B);
        putIf(4, 5, C, A);
        assertBad();
    }

    @Test
    void shouldRejectTwoWritesThatFoundTheSameValue()
    {
        put(0, 1, A);
        putIf(2, 10, B, A);
        deleteIf(3, 9, A);
        assertBad();
    }

    @Test
    void shouldRejectADeleteOfAnotherValueThanTheExpectedOne()
    {
        put(0, 1, A);
        put(2, 3, B);
        deleteIf(4, 5, A);
        assertBad();
    }

    /** Although nobody read it. */
    @Test
    void shouldTellValuesApartThatAreOnlyExpected()
    {
        put(0, 10, A);
        put(1, 9, B);
        putIf(11, 12, C, A);
        assertGood();
        put(13, 14, 104);
        putIf(15, 16, 105, B);
        assertBad();
    }

    @Test
    void shouldTakeAConditionOfUnknownFateEitherWay()
    {
        put(0, 1, A);
        add(Kind.PUT, Fate.UNKNOWN, B, 0, 2, 3, A);
        get(4, 5, A);
        get(6, 7, B);
        assertGood();
        get(8, 9, A);
        assertBad();
    }

    @Test
    void shouldNotLetAConditionOfUnknownFateTakeEffectWhereItDoesNotHold()
    {
        put(0, 1, A);
        put(2, 3, C);
        add(Kind.PUT, Fate.UNKNOWN, B, 0, 4, 5, A);
        get(6, 7, C);
        assertGood();
        get(8, 9, B);
        assertBad();
    }

    /** The delete explains the insert. */
    @Test
    void shouldLetADeleteOfUnknownFateMakeRoomForAnInsert()
    {
        put(0, 1, A);
        add(Kind.DELETE, Fate.UNKNOWN, Operation.ANY, 0, 2, 3, Operation.ANY);
        putIf(4, 5, B, Operation.ABSENT);
        assertGood();
    }

    @Test
    void shouldTakeAndRejectWhatAWriteMet()
    {
        put(0, 1, A, 1);
        put(2, 3, B, 2);
        add(Kind.MEET, Fate.DONE, Operation.PRESENT, 2, 4, 5, Operation.ANY);
        assertGood();
        add(Kind.MEET, Fate.DONE, Operation.PRESENT, 1, 6, 7, Operation.ANY);
        assertBad();
    }

    @Test
    void shouldRejectAnAbsenceThatAWriteMet()
    {
        put(0, 1, A, 1);
        add(Kind.MEET, Fate.DONE, Operation.ABSENT, 0, 4, 5, Operation.ANY);
        assertBad();
    }

    /** Somebody's put of unknown fate may have it. */
    @Test
    void shouldTakeAVersionThatNobodyWasToldOf()
    {
        add(Kind.PUT, Fate.UNKNOWN, A, 0, 0, 1, Operation.ANY);
        add(Kind.MEET, Fate.DONE, Operation.PRESENT, 7, 4, 5, Operation.ANY);
        assertGood();
    }

    @Test
    void shouldTakeAnEmptyHistory()
    {
        assertGood();
    }

    @Test
    void shouldRejectAStaleValue()
    {
        put(0, 1, A);
        put(2, 3, B);
        get(4, 5, A);
        assertBad();
    }

    @Test
    void shouldRejectALostPut()
    {
        put(0, 1, A);
        get(2, 3, 0);
        assertBad();
    }

    @Test
    void shouldRejectALostDelete()
    {
        put(0, 1, A);
        delete(2, 3, true);
        get(4, 5, A);
        assertBad();
    }

    @Test
    void shouldTakeBothValuesWhileAPutIsUnderWay()
    {
        put(0, 1, A);
        put(2, 20, B);
        get(3, 4, A);
        get(5, 6, B);
        get(7, 8, B);
        assertGood();
    }

    @Test
    void shouldRejectAnOldValueAfterTheNewOneEvenWhileThePutIsUnderWay()
    {
        put(0, 1, A);
        put(2, 20, B);
        get(3, 4, B);
        get(5, 6, A);
        assertBad();
    }

    @Test
    void shouldTakeAnyOrderOfConcurrentPuts()
    {
        put(0, 10, A);
        put(0, 10, B);
        put(0, 10, C);
        get(11, 12, B);
        assertGood();
    }

    @Test
    void shouldRejectTwoOrdersOfConcurrentPuts()
    {
        put(0, 10, A);
        put(0, 10, B);
        get(11, 12, B);
        get(13, 14, A);
        assertBad();
    }

    @Test
    void shouldRejectAbsenceBetweenTwoValues()
    {
        put(0, 1, A);
        put(2, 10, B);
        get(3, 4, 0);
        assertBad();
    }

    @Test
    void shouldTakeAbsenceBetweenAConcurrentDeleteAndPut()
    {
        put(0, 1, A);
        delete(2, 10, true);
        put(2, 10, B);
        get(3, 4, 0);
        get(5, 6, B);
        assertGood();
    }

    @Test
    void shouldRejectADeleteThatFoundNothing()
    {
        put(0, 1, A);
        delete(2, 3, false);
        assertBad();
    }

    @Test
    void shouldRejectTwoDeletesThatFoundOneValue()
    {
        put(0, 1, A);
        delete(2, 5, true);
        delete(2, 5, true);
        assertBad();
    }

    @Test
    void shouldTakeAWriteOfUnknownFateAtAnyLaterTimeOrNever()
    {
        put(0, 1, A);
        add(Kind.PUT, Fate.UNKNOWN, B, 0, 2, 3);
        get(4, 5, A);
        get(100, 101, A);
        assertGood();
        get(200, 201, B);
        get(300, 301, B);
        assertGood();
        get(400, 401, A);
        assertBad();
    }

    @Test
    void shouldNotTakeAWriteOfUnknownFateBeforeItsBeginning()
    {
        get(0, 1, B);
        add(Kind.PUT, Fate.UNKNOWN, B, 0, 2, 3);
        assertBad();
    }

    @Test
    void shouldTakeADeleteOfUnknownFateOnce()
    {
        put(0, 1, A);
        add(Kind.DELETE, Fate.UNKNOWN, Operation.ANY, 0, 2, 3);
        get(4, 5, A);
        get(6, 7, 0);
        assertGood();
        put(8, 9, B);
        get(10, 11, 0);
        assertBad();
    }

    @Test
    void shouldTakeAnUnreadPutOfUnknownFateForWhatADeleteFound()
    {
        add(Kind.PUT, Fate.UNKNOWN, B, 0, 0, 1);
        delete(2, 3, true);
        assertGood();
        delete(4, 5, true);
        assertBad();
    }

    @Test
    void shouldGoOnWithManyWritesOfUnknownFate()
    {
        for (int i = 0; i < 500; i++)
        {
            add(Kind.PUT, Fate.UNKNOWN, 1000 + i, 0, 2 * i, 2 * i + 1);
            add(Kind.DELETE, Fate.UNKNOWN, Operation.ANY, 0, 2 * i, 2 * i + 1);
        }
        put(2000, 2001, A);
        get(2002, 2003, A);
        assertGood();
        put(2004, 2005, B);
        get(2006, 2007, A);
        assertBad();
    }

    @Test
    void shouldRejectTheValueOfAPutThatHadNoEffect()
    {
        add(Kind.PUT, Fate.NOT_APPLIED, A, 0, 0, 1);
        get(2, 3, 0);
        assertGood();
        get(4, 5, A);
        assertBad();
    }

    @Test
    void shouldRejectAValueOfNoPut()
    {
        get(0, 1, A);
        assertBad();
    }

    @Test
    void shouldRejectCorruptBytes()
    {
        put(0, 1, A);
        get(2, 3, Operation.CORRUPT);
        assertBad();
    }

    @Test
    void shouldRejectTwoVersionsOfAValue()
    {
        put(0, 1, A, 7);
        get(2, 3, A, 7);
        assertGood();
        get(4, 5, A, 8);
        assertBad();
    }

    @Test
    void shouldRejectOneVersionOfTwoValues()
    {
        put(0, 10, A, 7);
        put(0, 10, B, 7);
        assertBad();
    }

    @Test
    void shouldRejectVersionsThatGoDown()
    {
        put(0, 1, A, 8);
        put(2, 3, B, 7);
        assertBad();
    }

    @Test
    void shouldRejectVersionsThatGoDownOverADelete()
    {
        put(0, 1, A, 8);
        add(Kind.DELETE, Fate.DONE, Operation.PRESENT, 9, 2, 3);
        put(4, 5, B, 3);
        assertBad();
    }

    @Test
    void shouldTakeVersionsForTheOrderOfConcurrentPuts()
    {
        put(0, 10, A, 8);
        put(0, 10, B, 7);
        get(11, 12, A, 8);
        assertGood();
    }

    @Test
    void shouldRejectAnOrderThatVersionsContradict()
    {
        put(0, 10, A, 8);
        put(0, 10, B, 7);
        get(11, 12, B, 7);
        assertBad();
    }

    @Test
    void shouldTakeContainsForWhatItSaw()
    {
        put(0, 1, A);
        add(Kind.CONTAINS, Fate.DONE, Operation.PRESENT, 0, 2, 3);
        delete(4, 5, true);
        add(Kind.CONTAINS, Fate.DONE, Operation.ABSENT, 0, 6, 7);
        assertGood();
        add(Kind.CONTAINS, Fate.DONE, Operation.PRESENT, 0, 8, 9);
        assertBad();
    }

    /** Lowe's example of why a lookup that saw the old value must go before a put that ended sooner. */
    @Test
    void shouldPutALookupBeforeAPutThatEndsSooner()
    {
        put(0, 1, A);
        get(2, 20, A);
        put(3, 4, B);
        get(5, 6, B);
        assertGood();
    }

    @Test
    void shouldShowOnlyWhatIsWrong()
    {
        final Random random = new Random(1);
        for (int i = 0; i < 2000; i++)
        {
            final long at = 10L * i;
            put(at, at + 1, 1000 + i);
            get(at + 2, at + 3, 1000 + i);
            if (random.nextInt(3) == 0)
            {
                delete(at + 4, at + 5, true);
            }
        }
        put(20_000, 20_001, A);
        put(20_002, 20_003, B);
        get(20_004, 20_005, A);
        put(20_006, 20_007, C);
        final Violation violation = KeyChecker.check(history, ExpiryTimes.NONE);
        assertNotNull(violation);
        assertEquals(3, violation.history().size(), violation.text());
        assertTrue(violation.text().contains("put 0.101"), violation.text());
        assertTrue(violation.text().contains("get -> 0.101"), violation.text());
    }

    @Test
    void shouldShowADeleteThatMatters()
    {
        for (int i = 0; i < 100; i++)
        {
            put(10L * i, 10L * i + 1, 1000 + i);
            delete(10L * i + 2, 10L * i + 3, true);
            get(10L * i + 4, 10L * i + 5, 0);
        }
        put(1000, 1001, A);
        get(1002, 1003, A);
        delete(1004, 1005, true);
        get(1006, 1007, A);
        final Violation violation = KeyChecker.check(history, ExpiryTimes.NONE);
        assertNotNull(violation);
        assertEquals(3, violation.history().size(), violation.text());
    }

    /**
     * Histories made from an order that there was are good. With one answer changed they may be good or bad: a search
     * through all orders tells.
     */
    @Test
    void shouldAgreeWithASearchThroughAllOrders()
    {
        int bad = 0;
        for (int seed = 0; seed < 4000; seed++)
        {
            final int told = seed;
            final RandomHistory made = new RandomHistory(new Random(seed), 7, 3);
            assertNull(KeyChecker.check(made.operations(), ExpiryTimes.NONE), "seed=" + seed);
            final List<Operation> changed = made.changed();
            final boolean isGood = AllOrders.isLinearizable(changed);
            final Violation violation = KeyChecker.check(changed, ExpiryTimes.NONE);
            assertEquals(isGood, violation == null, () -> "seed=" + told + '\n' +
                new Violation(0, "all orders", changed).text() + (violation == null ? "" : violation.text()));
            if (violation != null)
            {
                bad++;
                assertTrue(!AllOrders.isLinearizable(violation.history()), "seed=" + seed + violation.text());
            }
        }
        assertTrue(bad > 400, "bad=" + bad);
    }

    @Test
    void shouldCheckManyOperationsOfFewKeys()
    {
        final int operations = TestSize.of(1_000_000, 100_000);
        int count = 0;
        for (int key = 0; count < operations; key++)
        {
            final RandomHistory made = new RandomHistory(new Random(key), operations / 3, 16);
            count += made.operations().size();
            final boolean isGood = key % 2 == 0;
            assertEquals(
                isGood,
                KeyChecker.isLinearizable(isGood ? made.operations() : made.withOneStaleRead(),
                    ExpiryTimes.NONE),
                "key=" + key);
        }
    }

    private void put(final long from, final long to, final long value)
    {
        put(from, to, value, Operation.NO_VERSION);
    }

    private void put(final long from, final long to, final long value, final long version)
    {
        add(Kind.PUT, Fate.DONE, value, version, from, to);
    }

    private void get(final long from, final long to, final long value)
    {
        get(from, to, value, Operation.NO_VERSION);
    }

    private void get(final long from, final long to, final long value, final long version)
    {
        add(Kind.GET, Fate.DONE, value, version, from, to);
    }

    private void delete(final long from, final long to, final boolean wasPresent)
    {
        add(Kind.DELETE, Fate.DONE, wasPresent ? Operation.PRESENT : Operation.ABSENT, 0, from, to);
    }

    private void putIf(final long from, final long to, final long value, final long expected)
    {
        add(Kind.PUT, Fate.DONE, value, 0, from, to, expected);
    }

    private void deleteIf(final long from, final long to, final long expected)
    {
        add(Kind.DELETE, Fate.DONE, Operation.PRESENT, 0, from, to, expected);
    }

    private void add(
        final Kind kind,
        final Fate fate,
        final long value,
        final long version,
        final long from,
        final long to,
        final long expected)
    {
        history.add(new Operation(0, kind, fate, history.size(), value, version, from, to, expected));
    }

    private void add(
        final Kind kind, final Fate fate, final long value, final long version, final long from, final long to)
    {
        history.add(new Operation(0, kind, fate, history.size(), value, version, from, to));
    }

    private void assertGood()
    {
        final Violation violation = KeyChecker.check(history, ExpiryTimes.NONE);
        assertNull(violation, () -> violation.text());
    }

    private void assertBad()
    {
        final Violation violation = KeyChecker.check(history, ExpiryTimes.NONE);
        assertNotNull(violation);
    }
}
