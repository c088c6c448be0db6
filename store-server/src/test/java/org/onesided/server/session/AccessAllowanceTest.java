package org.onesided.server.session;

import static org.junit.jupiter.api.Assertions.*;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.AccessWord;

class AccessAllowanceTest
{
    @Test
    void shouldLetAClientReportAsManyAsItMay()
    {
        final AccessAllowance allowance = new AccessAllowance(0);
        for (int i = 1; i <= 100; i++)
        {
            final int count = AccessWord.MAX_RATE / 10;
            assertEquals(count, allowance.take(count, TimeUnit.MILLISECONDS.toNanos(100L * i)));
        }
    }

    @Test
    void shouldCutDownAClientThatReportsTooMany()
    {
        final AccessAllowance allowance = new AccessAllowance(0);
        long taken = 0;
        for (int i = 0; i < 1000; i++)
        {
            taken += allowance.take(AccessWord.MAX_COUNT, TimeUnit.MILLISECONDS.toNanos(i));
        }
        assertTrue(taken <= 1.25 * AccessWord.MAX_RATE + 2 * AccessWord.MAX_COUNT, "taken=" + taken);
        // Saves no more than two messages.
        assertEquals(2 * AccessWord.MAX_COUNT, allowance.take(100_000, TimeUnit.HOURS.toNanos(1)));
    }

    @Test
    void shouldTakeNothingForATimeThatGoesBackwards()
    {
        final AccessAllowance allowance = new AccessAllowance(TimeUnit.SECONDS.toNanos(1));
        allowance.take(2 * AccessWord.MAX_COUNT, TimeUnit.SECONDS.toNanos(1));
        assertEquals(0, allowance.take(1, 0));
    }
}
