package org.onesided.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpinTest
{
    private static final long SPIN_NS = 20_000;
    private static final long LOOK_NS = 1_000;
    private static final long MILLI_NS = 1_000_000;
    private static final long LONG_NS = (Spin.LONG_WAIT_SPINS + 1) * SPIN_NS;

    /** Near the end of the clock's range, which it may pass. */
    private long nowNs = Long.MAX_VALUE - 5 * MILLI_NS;
    private int count = 2;
    private final Cores cores = new Cores(() -> count, nowNs);
    private final Spin spin = new Spin(SPIN_NS, cores);

    @Test
    void shouldLookAgainForAsLongAsItMay()
    {
        assertEquals(SPIN_NS / LOOK_NS, looksBeforeBlocking());
    }

    @Test
    void shouldNotSpinAgainWithinAWaitThatBlocked()
    {
        looksBeforeBlocking();
        nowNs += MILLI_NS;
        assertFalse(spin.again(nowNs));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20_000})
    void shouldBlockAtOnceOnOneCore(final long spinNs)
    {
        final Spin alone = new Spin(spinNs, new Cores(() -> 1, nowNs));
        alone.begin();
        assertFalse(alone.again(nowNs));
    }

    @Test
    void shouldNoticeThatItIsConfinedToOneCore()
    {
        count = 1;
        assertTrue(cores.allowSpinning(nowNs));
        cores.lostWhileSpinning(nowNs, Spin.GAP_NS);
        nowNs += 100 * MILLI_NS;
        assertFalse(cores.allowSpinning(nowNs));

        count = 2;
        assertFalse(cores.allowSpinning(nowNs + 999 * MILLI_NS), "it counts once in a second");
        assertTrue(cores.allowSpinning(nowNs + 1000 * MILLI_NS));
    }

    @Test
    void shouldBlockAtOnceIfToldSo()
    {
        final Spin never = new Spin(0, cores);
        never.begin();
        assertFalse(never.again(nowNs));
    }

    @Test
    void shouldNeverBlockIfToldSo()
    {
        final Spin always = new Spin(Spin.FOR_EVER_NS, new Cores(() -> 1, nowNs));
        always.begin();
        assertTrue(always.again(nowNs));
        assertTrue(always.again(nowNs + 1000 * MILLI_NS));
    }

    @Test
    void shouldBlockAtOnceWhereWaitsAreLong()
    {
        for (int i = 0; i <= Spin.FORGIVEN; i++)
        {
            assertTrue(isSpinning());
            endAfter(LONG_NS);
        }
        assertFalse(isSpinning());
        endAfter(LONG_NS);
        assertFalse(isSpinning());
    }

    @Test
    void shouldSpinWhereSpinsFailButWaitsAreShort()
    {
        for (int i = 0; i < 100; i++)
        {
            assertEquals(SPIN_NS / LOOK_NS, looksBeforeBlocking());
            endAfter(SPIN_NS);
        }
    }

    @Test
    void shouldSpinAgainAfterOneShortWait()
    {
        for (int i = 0; i < 100; i++)
        {
            isSpinning();
            endAfter(LONG_NS);
        }
        assertFalse(isSpinning());
        endAfter(SPIN_NS * 2);
        assertTrue(isSpinning());
    }

    @Test
    void shouldForgetLongWaitsOnceASpinSucceeds()
    {
        for (int i = 0; i < 100; i++)
        {
            isSpinning();
            endAfter(i % (Spin.FORGIVEN + 1) == 0 ? SPIN_NS : LONG_NS);
            assertTrue(isSpinning(), "wait " + i);
            spin.end();
        }
    }

    @Test
    void shouldBlockWhenTheCoreWasTakenAway()
    {
        spin.begin();
        assertTrue(spin.again(nowNs));
        nowNs += Spin.GAP_NS + 1;
        assertFalse(spin.again(nowNs));
        assertFalse(cores.allowSpinning(nowNs));
    }

    @Test
    void shouldNoticeThatAYieldTookTheCoreAwayThoughItsWaitIsOver()
    {
        spin.begin();
        assertTrue(spin.again(nowNs));
        spin.checkYield(nowNs + Spin.GAP_NS + 1);
        assertFalse(cores.allowSpinning(nowNs + Spin.GAP_NS + 1));
    }

    @Test
    void shouldKeepOtherThreadsFromSpinningToo()
    {
        loseCore();
        final Spin other = new Spin(SPIN_NS, cores);
        other.begin();
        assertFalse(other.again(nowNs));
    }

    @Test
    void shouldSpinAgainAfterARestThatGrowsToASecond()
    {
        long longestNs = 0;
        for (int i = 0; i < 20; i++)
        {
            loseCore();
            assertTrue(cores.restNs() >= longestNs);
            longestNs = cores.restNs();
            assertFalse(cores.allowSpinning(nowNs + longestNs - 1));
            nowNs += longestNs;
            assertTrue(cores.allowSpinning(nowNs));
        }
        assertEquals(1000 * MILLI_NS, longestNs);
    }

    @Test
    void shouldRestBrieflyAgainOnceItHadItsCoreForLong()
    {
        for (int i = 0; i < 20; i++)
        {
            loseCore();
            nowNs += cores.restNs();
        }
        nowNs += 12_000 * MILLI_NS;
        loseCore();
        assertEquals(MILLI_NS, cores.restNs());
    }

    @Test
    void shouldCountCoresLostInTheSameMomentAsOne()
    {
        loseCore();
        final long restNs = cores.restNs();
        cores.lostWhileSpinning(nowNs, Spin.GAP_NS);
        cores.lostWhileSpinning(nowNs + 1, Spin.GAP_NS);
        assertEquals(restNs, cores.restNs());
        assertTrue(cores.allowSpinning(nowNs + restNs));
    }

    /** A hypervisor does so. What is between the gaps counts for more. */
    @Test
    void shouldRestBrieflyWhereTheCoreIsRarelyTakenAway()
    {
        for (int i = 0; i < 100; i++)
        {
            succeedFor(500, 50_000);
            loseCore();
            nowNs += cores.restNs();
        }
        assertEquals(MILLI_NS, cores.restNs());
    }

    /** It works seldom: its few successes are not worth the time that others take its core for. */
    @Test
    void shouldRestWhereSpinsAreFew()
    {
        for (int i = 0; i < 12; i++)
        {
            succeedFor(500, 500);
            loseCore();
            nowNs += cores.restNs();
        }
        assertEquals(1000 * MILLI_NS, cores.restNs());
    }

    /** Others want the core. It has it now and then for some slices, and that is not worth what it loses. */
    @Test
    void shouldRestWhereTheCoreIsTakenAwaySoonThoughSpinsSucceed()
    {
        for (int i = 0; i < 12; i++)
        {
            succeedFor(90, 1_000_000);
            loseCore();
            nowNs += cores.restNs();
        }
        assertEquals(1000 * MILLI_NS, cores.restNs());
    }

    @Test
    void shouldRestBrieflyAgainOnceItIsAlone()
    {
        for (int i = 0; i < 20; i++)
        {
            loseCore();
            nowNs += cores.restNs();
        }
        for (int i = 0; i < 30; i++)
        {
            succeedFor(500, 50_000);
            loseCore();
            nowNs += cores.restNs();
        }
        assertEquals(MILLI_NS, cores.restNs());
    }

    @Test
    void shouldNoticeCompanyWithinAMomentAfterALongTimeAlone()
    {
        succeedFor(1_000_000, Integer.MAX_VALUE);
        loseCore();
        nowNs += cores.restNs();
        for (int i = 0; i < 10; i++)
        {
            nowNs += 4 * MILLI_NS;
            loseCore();
            nowNs += cores.restNs();
        }
        assertEquals(1000 * MILLI_NS, cores.restNs());
    }

    /** Waits of this thread are counted, and told before the loss of which they are the other side. */
    @Test
    void shouldCountWaitsThatEndWhileItSpins()
    {
        for (int i = 0; i < 100; i++)
        {
            for (int wait = 0; wait < 50_001; wait++)
            {
                assertTrue(isSpinning());
                nowNs += SPIN_NS / 2;
                spin.end();
            }
            assertTrue(isSpinning());
            nowNs += 4 * MILLI_NS;
            spin.again(nowNs);
            spin.end();
            nowNs += cores.restNs();
        }
        assertEquals(MILLI_NS, cores.restNs());
    }

    /** It was stopped, or the machine was. */
    @Test
    void shouldSpinSoonAgainAfterALongStop()
    {
        succeedFor(500, 50_000);
        cores.lostWhileSpinning(nowNs, 1_000_000 * MILLI_NS);
        nowNs += cores.restNs();
        succeedFor(500, 50_000);
        loseCore();
        assertEquals(MILLI_NS, cores.restNs());
    }

    /** Such a thread has its core for itself, whatever others lose. */
    @Test
    void shouldNotCountWaitsOfAThreadThatSpinsForEver()
    {
        final Spin always = new Spin(Spin.FOR_EVER_NS, cores);
        for (int i = 0; i < 12; i++)
        {
            for (int wait = 0; wait < 50_000; wait++)
            {
                always.begin();
                assertTrue(always.again(nowNs));
                always.end();
            }
            nowNs += 500 * MILLI_NS;
            loseCore();
            nowNs += cores.restNs();
        }
        assertEquals(1000 * MILLI_NS, cores.restNs());
    }

    private void succeedFor(final long millis, final int waits)
    {
        nowNs += millis * MILLI_NS;
        cores.saved(waits);
    }

    private void loseCore()
    {
        cores.lostWhileSpinning(nowNs, 4 * MILLI_NS);
    }

    /** Waits once, in vain. */
    private int looksBeforeBlocking()
    {
        spin.begin();
        int looks = 0;
        while (spin.again(nowNs))
        {
            nowNs += LOOK_NS;
            looks++;
        }
        return looks;
    }

    private boolean isSpinning()
    {
        spin.begin();
        return spin.again(nowNs);
    }

    private void endAfter(final long waitNs)
    {
        nowNs += waitNs;
        spin.end(nowNs);
    }
}
