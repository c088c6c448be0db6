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
        assertTrue(ration.admits(beginNs));
        assertTrue(ration.admits(beginNs + 999));
        assertFalse(ration.admits(beginNs + 999));
        assertTrue(ration.admits(beginNs + 1000));
        assertTrue(ration.admits(beginNs + 1000));
        assertFalse(ration.admits(beginNs + 1999));
    }

    @Test
    void shouldCountTheOthers()
    {
        for (int i = 0; i < 7; i++)
        {
            ration.admits(beginNs);
        }
        assertEquals(5, ration.takeWithheld());
        assertEquals(0, ration.takeWithheld());
    }
}
