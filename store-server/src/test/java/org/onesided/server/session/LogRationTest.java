package org.onesided.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LogRationTest
{
    private final LogRation ration = new LogRation(2, 1000);
    private final long beginNs = System.nanoTime();

    @Test
    void shouldLetSoManyThroughInAPeriod()
    {
        assertTrue(ration.tryTake(beginNs));
        assertTrue(ration.tryTake(beginNs + 999));
        assertFalse(ration.tryTake(beginNs + 999));
        assertTrue(ration.tryTake(beginNs + 1000));
        assertTrue(ration.tryTake(beginNs + 1000));
        assertFalse(ration.tryTake(beginNs + 1999));
    }

    @Test
    void shouldCountTheOthers()
    {
        for (int i = 0; i < 7; i++)
        {
            ration.tryTake(beginNs);
        }
        assertEquals(5, ration.takeWithheld());
        assertEquals(0, ration.takeWithheld());
    }
}
