package org.onesided.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PauseTest
{
    private int looks;

    @AfterEach
    void clear()
    {
        Thread.interrupted();
    }

    @Test
    void shouldSleepItsWholeTimeThoughItsThreadIsInterrupted()
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
        Thread.currentThread().interrupt();
        Pause.until(endNs, TimeUnit.MILLISECONDS.toNanos(5), () -> false);

        assertTrue(System.nanoTime() - endNs >= 0);
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldEndWhenItHasHappened()
    {
        Pause.until(System.nanoTime() + TimeUnit.HOURS.toNanos(1), 1000, () -> ++looks == 3);

        assertEquals(3, looks);
    }

    @Test
    void shouldEndWithAnInterruptWhereAskedTo()
    {
        Thread.currentThread().interrupt();

        assertFalse(Pause.untilInterrupted(System.nanoTime() + TimeUnit.HOURS.toNanos(1), 1000, () -> false));
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldTellTheTimeFromAnEvent()
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5);

        assertTrue(Pause.untilInterrupted(endNs, 1_000_000, () -> false));
        assertTrue(System.nanoTime() - endNs >= 0);
        assertFalse(Pause.untilInterrupted(System.nanoTime() + TimeUnit.HOURS.toNanos(1), 1000, () -> ++looks >= 3));
    }

    @Test
    void shouldKeepAnInterruptForWhatComesAfterASleep()
    {
        Thread.currentThread().interrupt();
        Pause.after(100);

        assertTrue(Thread.interrupted());
    }
}
