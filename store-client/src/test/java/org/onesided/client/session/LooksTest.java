package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LooksTest
{
    private static final long PERIOD_NS = 1_000;

    private final Looks looks = new Looks(PERIOD_NS);
    private final long beginNs = System.nanoTime();
    private boolean wantsMore;
    private int count;

    private boolean look(final long nowNs)
    {
        count++;
        return wantsMore;
    }

    @Test
    void shouldLookOnceForManyWhoAsk()
    {
        looks.add(this::look);
        looks.lookIfDue(beginNs);
        assertEquals(0, count);
        assertEquals(Long.MAX_VALUE, looks.untilDueNs(beginNs));

        assertTrue(looks.ask());
        assertFalse(looks.ask());
        looks.lookIfDue(beginNs);
        looks.lookIfDue(beginNs + PERIOD_NS);
        assertEquals(1, count);
    }

    @Test
    void shouldLookNoMoreThanOnceInAPeriod()
    {
        looks.add(this::look);
        looks.ask();
        looks.lookIfDue(beginNs);
        assertTrue(looks.ask());
        looks.lookIfDue(beginNs + PERIOD_NS - 1);
        assertEquals(1, count);
        assertEquals(1, looks.untilDueNs(beginNs + PERIOD_NS - 1));
        looks.lookIfDue(beginNs + PERIOD_NS);
        assertEquals(2, count);
    }

    @Test
    void shouldGoOnWhileOneWantsMoreAndAfterAFailure()
    {
        final Watched failing = (nowNs) ->
        {
            throw new IllegalStateException("for a test");
        };
        looks.add(this::look);
        looks.add(failing);
        looks.ask();
        looks.lookIfDue(beginNs);
        looks.remove(failing);
        wantsMore = true;
        looks.lookIfDue(beginNs + PERIOD_NS);
        wantsMore = false;
        looks.lookIfDue(beginNs + 2 * PERIOD_NS);
        looks.lookIfDue(beginNs + 3 * PERIOD_NS);
        assertEquals(3, count);
    }
}
