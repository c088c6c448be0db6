package org.onesided.tools.load.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LivePutsTest
{
    private static final long TTL = 64_000;

    private final LivePuts puts = new LivePuts(TTL);

    @Test
    void shouldKnowNoneAtFirst()
    {
        assertEquals(Long.MAX_VALUE, puts.firstAlive(0));
    }

    @Test
    void shouldTellOfNoPutThatMayHaveExpired()
    {
        for (int i = 0; i < 1_000_000; i += 7)
        {
            puts.begin(i, i);
            final long first = puts.firstAlive(i);
            // A put's counter is its start here.
            assertTrue(first > i - TTL, "first=" + first + " now=" + i);
            assertTrue(first <= Math.max(0, i - TTL) + TTL / 100 + TTL / 64 + 14, "first=" + first + " now=" + i);
        }
    }

    @Test
    void shouldForgetAllAsTimePasses()
    {
        puts.begin(1, 100);
        assertEquals(1, puts.firstAlive(100 + TTL / 2));
        assertEquals(Long.MAX_VALUE, puts.firstAlive(100 + TTL));
    }
}
