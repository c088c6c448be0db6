package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SampleRingTest
{
    private final SampleRing ring = new SampleRing(true);

    private void put(final int from, final int count)
    {
        for (int i = from; i < from + count; i++)
        {
            ring.put(i, i % 3 == 0);
        }
    }

    @Test
    void shouldDropAndCountWhatTheFullRingHasNoRoomFor()
    {
        put(0, SampleRing.CAPACITY + 100);
        assertEquals(SampleRing.CAPACITY, ring.size());
        assertEquals(100, ring.dropped());
        assertEquals(0, ring.hash(0));
        ring.remove(1);
        ring.put(7000, true);
        assertEquals(7000, ring.hash(SampleRing.CAPACITY - 1));
        assertEquals(100, ring.dropped());
    }

    @Test
    void shouldKeepTheNewestAndCountThoseItPassesOver()
    {
        put(0, 10);
        ring.keepNewest(10);
        assertEquals(0, ring.dropped());
        ring.keepNewest(4);
        assertEquals(4, ring.size());
        assertEquals(6, ring.dropped());
        assertEquals(6, ring.hash(0));
        assertTrue(ring.isFound(0));
        assertEquals(4, ring.waiting());
        ring.keepNewest(0);
        assertEquals(0, ring.size());
        assertEquals(10, ring.written());
    }

    @Test
    void shouldHaveNoRoomWhereItIsNotUsed()
    {
        final SampleRing unused = new SampleRing(false);
        unused.put(1, true);
        assertEquals(0, unused.size());
    }
}
