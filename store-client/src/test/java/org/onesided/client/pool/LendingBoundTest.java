package org.onesided.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** With a clock and a server that the test plays. */
class LendingBoundTest
{
    private static final int PROCESSORS = 2;
    private static final int MOST = 64;
    private static final long LOOK_NS = 1_000_000L;

    private final LendingBound bound = new LendingBound(PROCESSORS, MOST);
    private long nowNs = 1;
    private double returns;

    /** Goes on for so many looks, where that many operations a second end for so many that are lent. */
    private void run(final int looks, final int stuck, final IntToDoubleFunction rate)
    {
        for (int i = 0; i < looks; i++)
        {
            final int lent = bound.places();
            returns += rate.applyAsDouble(lent - stuck) * LOOK_NS / 1e9;
            nowNs += LOOK_NS;
            bound.look(nowNs, (long)returns, lent, stuck);
        }
    }

    @Test
    void shouldLendAsManyAsThereAreProcessorsWhereEachIsOfUse()
    {
        assertMostly(PROCESSORS, 0, lent -> Math.min(lent, PROCESSORS) * 30_000);
    }

    @Test
    void shouldLendFewerWhereTheServerNeedsAProcessor()
    {
        assertMostly(1, 0, lent -> 60_000);
    }

    /** Now and then it tries another bound. */
    private void assertMostly(final int places, final int stuck, final IntToDoubleFunction rate)
    {
        run(2000, stuck, rate);
        int expected = 0;
        for (int i = 0; i < 2000; i++)
        {
            run(1, stuck, rate);
            expected += bound.places() == places ? 1 : 0;
        }
        assertTrue(expected > 1500, "expected=" + expected);
    }

    @Test
    void shouldLendMoreWhereOperationsWaitForAServerFarAway()
    {
        // 500 us each, however many there are.
        run(5000, 0, lent -> lent * 2000);
        assertTrue(bound.places() >= MOST / 2, () -> "places=" + bound.places());
    }

    /** As puts that wait for a disk, which is slow now and then: of some ten, the number tells little. */
    @Test
    void shouldLendMoreWhereFewOperationsEndAndNotEvenly()
    {
        final LendingBound few = new LendingBound(PROCESSORS, 8);
        int most = 0;
        for (int i = 0; i < 5000; i++)
        {
            returns += few.places() * (i % 40 < 20 ? 0.1 : 0.6);
            nowNs += LOOK_NS;
            few.look(nowNs, (long)returns, few.places(), 0);
            most += i >= 4000 && few.places() >= 6 ? 1 : 0;
        }
        assertTrue(most > 900, "most=" + most);
    }

    @Test
    void shouldNotLendMoreWhereThatDoesNotHelp()
    {
        // Slow, since others have the processors.
        int most = 0;
        for (int i = 0; i < 200; i++)
        {
            run(16, 0, lent -> 5_000);
            most = Math.max(most, bound.places());
        }
        assertTrue(most <= PROCESSORS + 1, "most=" + most);
    }

    @Test
    void shouldGoBackWhenMoreHelpsNoMore()
    {
        run(5000, 0, lent -> lent * 2000);
        run(20_000, 0, lent -> 40_000);
        assertTrue(bound.places() <= PROCESSORS + 2, () -> "places=" + bound.places());
    }

    @Test
    void shouldLendOneMoreWhenNoneComesBack()
    {
        run(10, 0, lent -> 0);
        assertTrue(bound.places() >= 10, () -> "places=" + bound.places());
        run(1000, 0, lent -> 0);
        assertEquals(MOST, bound.places());
        run(200, 0, lent -> 60_000);
        assertTrue(bound.places() <= PROCESSORS + 2, () -> "places=" + bound.places());
    }

    @Test
    void shouldNotCountThoseThatAreStuck()
    {
        final IntToDoubleFunction rate = lent -> Math.max(0, Math.min(lent, PROCESSORS)) * 30_000;
        assertMostly(PROCESSORS + 3, 3, rate);
        assertMostly(PROCESSORS, 0, rate);
    }

    @Test
    void shouldNotLendMoreThanThereMayBe()
    {
        final LendingBound one = new LendingBound(8, 1);
        assertEquals(1, one.places());
        for (int i = 0; i < 100; i++)
        {
            nowNs += LOOK_NS;
            one.look(nowNs, 0, 1, 1);
        }
        assertEquals(1, one.places());
    }
}
