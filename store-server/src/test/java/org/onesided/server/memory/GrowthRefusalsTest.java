package org.onesided.server.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GrowthRefusalsTest
{
    private static final RuntimeException CAUSE = new IllegalStateException("no memory");

    private final GrowthRefusals refusals = new GrowthRefusals(new MemoryPool(1 << 20));

    /** For how long the system is not asked after a refusal at that time. */
    private long pauseNs(final long nowNs)
    {
        refusals.refused(CAUSE, nowNs);
        long pauseNs = 0;
        while (!refusals.isTimeToAsk(nowNs + pauseNs))
        {
            pauseNs += GrowthRefusals.FIRST_PAUSE_NS;
        }
        return pauseNs;
    }

    @Test
    void shouldPauseForLongerAfterEachRefusal()
    {
        assertTrue(refusals.isTimeToAsk(0));
        assertFalse(refusals.isRefused());
        assertEquals(GrowthRefusals.FIRST_PAUSE_NS, pauseNs(0));
        assertTrue(refusals.isRefused());
        assertEquals(2 * GrowthRefusals.FIRST_PAUSE_NS, pauseNs(0));
        assertEquals(4 * GrowthRefusals.FIRST_PAUSE_NS, pauseNs(0));
        for (int i = 0; i < 100; i++)
        {
            refusals.refused(CAUSE, 0);
        }
        assertEquals(GrowthRefusals.LONGEST_PAUSE_NS, pauseNs(0));
        assertEquals(104, refusals.count());
    }

    @Test
    void shouldAskAtOnceWhenTheSystemHasGotMemoryBack()
    {
        refusals.refused(CAUSE, 0);
        assertFalse(refusals.isTimeToAsk(1));
        refusals.retry(1);
        assertTrue(refusals.isTimeToAsk(1));
        assertTrue(refusals.isRefused());
    }

    @Test
    void shouldBeginWithShortPausesAfterAWhileWithoutARefusal()
    {
        refusals.refused(CAUSE, 0);
        refusals.refused(CAUSE, 0);
        refusals.look(2 * GrowthRefusals.QUIET_NS);
        assertEquals(4 * GrowthRefusals.FIRST_PAUSE_NS, pauseNs(0), "it still refuses");
        refusals.granted();
        refusals.look(GrowthRefusals.QUIET_NS);
        assertEquals(8 * GrowthRefusals.FIRST_PAUSE_NS, pauseNs(0), "it has refused just now");
        refusals.granted();
        refusals.look(GrowthRefusals.QUIET_NS + 1);
        assertEquals(GrowthRefusals.FIRST_PAUSE_NS, pauseNs(0));
    }
}
