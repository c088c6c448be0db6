package org.onesided.server.expiry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ShardClockTest
{
    private static final long START_MS = 1_700_000_000_000L;

    private long monotonicNs = 5_000_000_000L;
    private long wallMs = START_MS;
    private final ShardClock clock = new ShardClock(() -> monotonicNs, () -> wallMs);

    @Test
    void shouldBeginWithTheWallClockAndGoOnWithTheMonotonicOne()
    {
        assertEquals(START_MS, clock.getAsLong());
        assertEquals(START_MS + 250, after(250, 250));
        assertEquals(START_MS + 500, after(250, 250));
    }

    @Test
    void shouldStandStillWithinARound()
    {
        assertEquals(START_MS, clock.getAsLong());
        monotonicNs += 1_000_000_000;
        assertEquals(START_MS, clock.getAsLong());
        clock.nextRound();
        assertEquals(START_MS + 1000, clock.getAsLong());
    }

    @Test
    void shouldFollowAStepOfTheWallClockByNoMoreThanHalfAPercent()
    {
        after(1000, 3_600_000);
        long passed = 1000;
        long last = clock.getAsLong();
        for (int i = 0; i < 1000; i++)
        {
            final long now = after(10, 10);
            passed += 10;
            assertTrue(now - last >= 10 && now - last <= 11, now - last + " ms in 10");
            last = now;
        }
        final long ahead = last - START_MS - passed;
        assertTrue(ahead >= 45 && ahead <= 56, "slewed by ms: " + ahead);
    }

    @Test
    void shouldNeverGoBackWhenTheWallClockDoes()
    {
        long last = after(2000, -7_200_000);
        final long begin = last;
        for (int i = 0; i < 1000; i++)
        {
            final long now = after(10, 10);
            assertTrue(now - last >= 9, now - last + " ms in 10");
            last = now;
        }
        final long behind = 10_000 - (last - begin);
        assertTrue(behind >= 45 && behind <= 56, "slewed by ms: " + behind);
    }

    @Test
    void shouldMeetTheWallClockAndStayWithIt()
    {
        after(1000, 1020);
        for (int i = 0; i < 100; i++)
        {
            after(1000, 1000);
        }
        assertEquals(wallMs, clock.getAsLong());
    }

    private long after(final long passedMs, final long wallPassedMs)
    {
        monotonicNs += passedMs * 1_000_000;
        wallMs += wallPassedMs;
        clock.nextRound();
        return clock.getAsLong();
    }
}
