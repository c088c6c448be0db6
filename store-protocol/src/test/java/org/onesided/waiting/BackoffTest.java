package org.onesided.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest
{
    @Test
    void shouldDoubleTheSpanUpToItsEnd()
    {
        final Backoff backoff = new Backoff(100, 500, bound -> bound - 1);

        assertEquals(100, backoff.nextNs());
        assertEquals(200, backoff.nextNs());
        assertEquals(400, backoff.nextNs());
        assertEquals(500, backoff.nextNs());
        assertEquals(500, backoff.nextNs());
    }

    @Test
    void shouldNeverGoBelowHalfTheLeastSpan()
    {
        final Backoff backoff = new Backoff(100, 500, bound -> 0);

        assertEquals(50, backoff.nextNs());
        assertEquals(50, backoff.nextNs());
    }

    @Test
    void shouldGrowWithoutADelay()
    {
        final Backoff backoff = new Backoff(100, 300, bound -> 0);
        assertEquals(100, backoff.spanNs());
        backoff.grow();
        assertEquals(200, backoff.spanNs());
        backoff.grow();
        assertEquals(300, backoff.spanNs());
    }

    @Test
    void shouldStartAnewAfterASuccess()
    {
        final Backoff backoff = new Backoff(100, 500, bound -> bound - 1);
        backoff.nextNs();
        backoff.nextNs();
        backoff.reset();

        assertEquals(100, backoff.nextNs());
    }

    @Test
    void shouldSpreadItsDelays()
    {
        final Random random = new Random(1);
        final Backoff backoff = new Backoff(1_000_000, 1_000_000, bound -> (long)(random.nextDouble() * bound));
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < 1000; i++)
        {
            final long delay = backoff.nextNs();
            least = Math.min(least, delay);
            most = Math.max(most, delay);
        }

        assertTrue(least >= 500_000 && least < 520_000, "least=" + least);
        assertTrue(most <= 1_000_000 && most > 980_000, "most=" + most);
    }
}
