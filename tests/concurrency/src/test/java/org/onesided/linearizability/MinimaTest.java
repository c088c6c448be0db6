package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class MinimaTest
{
    @Test
    void shouldWantOneOfEachFromSmallRunsAndMoreFromLargeOnes()
    {
        assertNull(Minima.lack(999, 0, 0));
        assertNotNull(Minima.lack(1_000, 0, 1));
        assertNotNull(Minima.lack(1_000, 1, 0));
        assertNull(Minima.lack(1_000, 1, 1));
        assertNotNull(Minima.lack(12_000, 26, 1));
        assertNull(Minima.lack(12_000, 27, 1));
        assertNotNull(Minima.lack(101_000, 504, 2));
        assertNotNull(Minima.lack(101_000, 505, 1));
        assertNull(Minima.lack(101_000, 505, 2));
    }

    @Test
    void shouldSayWhatThereWas()
    {
        assertEquals("too few lookups by request or scans, so this run shows too little: operations=2000 requests=1 " +
            "scans=4", Minima.lack(2_000, 1, 4));
    }
}
