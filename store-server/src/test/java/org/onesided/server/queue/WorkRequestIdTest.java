package org.onesided.server.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WorkRequestIdTest
{
    private static final int TAGS = 1 << 22;

    @Test
    void shouldTellReceivesFromSends()
    {
        assertTrue(WorkRequestId.isReceive(WorkRequestId.ofReceive(TAGS - 1, 7)));
        assertFalse(WorkRequestId.isReceive(WorkRequestId.ofSend(TAGS - 1, Long.MAX_VALUE)));
    }

    @Test
    void shouldTellConnectionsApart()
    {
        for (final int tag : new int[]{0, 1, 2, TAGS - 1, TAGS, Integer.MAX_VALUE, -1})
        {
            assertTrue(WorkRequestId.isOf(tag, WorkRequestId.ofReceive(tag, 3)));
            assertTrue(WorkRequestId.isOf(tag, WorkRequestId.ofSend(tag, Long.MAX_VALUE)));
            assertFalse(WorkRequestId.isOf(tag + 1, WorkRequestId.ofReceive(tag, 3)));
            assertFalse(WorkRequestId.isOf(tag + 1, WorkRequestId.ofSend(tag, 3)));
        }
        assertFalse(WorkRequestId.isOf(0, Long.MIN_VALUE));
        assertFalse(WorkRequestId.isOf(0, -1));
    }

    @Test
    void shouldCountOnAcrossTheEndOfNumbers()
    {
        final long last = (1L << 40) - 1;
        assertEquals(3, WorkRequestId.distance(last - 1, WorkRequestId.ofSend(5, last + 2)));
        assertEquals(0, WorkRequestId.distance(last + 9, WorkRequestId.ofSend(5, last + 9)));
        assertEquals(7, WorkRequestId.distance(0, WorkRequestId.ofReceive(5, 7)));
    }
}
