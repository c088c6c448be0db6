package org.onesided.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TimersTest
{
    @Test
    void shouldFollowTheSpecificationsTable()
    {
        assertEquals(655_360_000, Timers.rnrTimerNs(0));
        assertEquals(10_000, Timers.rnrTimerNs(1));
        assertEquals(640_000, Timers.rnrTimerNs(12));
        assertEquals(491_520_000, Timers.rnrTimerNs(31));
        for (int code = 2; code < 32; code++)
        {
            assertTrue(Timers.rnrTimerNs(code) > Timers.rnrTimerNs(code - 1));
        }
    }

    @Test
    void shouldTakeAnyNumberThatAHostilePeerTells()
    {
        assertEquals(Timers.rnrTimerNs(31), Timers.rnrTimerNs(-1));
    }

    @Test
    void shouldWaitForEachTry()
    {
        assertEquals(4096L << 14, Timers.answerNs(14, 0));
        assertEquals(8 * (4096L << 14), Timers.answerNs(14, 7));
        assertEquals(8 * (4096L << 31), Timers.answerNs(31, 7));
        assertEquals(Timers.FOR_EVER_NS, Timers.answerNs(0, 7));
    }
}
