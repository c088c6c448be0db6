package org.onesided.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LineLimitTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void shouldLetSoManyLinesASecondThrough()
    {
        final LineLimit limit = new LineLimit(2);
        final long startNs = Long.MAX_VALUE - SECOND_NS;
        assertTrue(limit.take(startNs));
        assertTrue(limit.take(startNs + 1));
        assertFalse(limit.take(startNs + 2));
        assertFalse(limit.take(startNs + SECOND_NS - 1));
        assertEquals(2, limit.takeMissed());
        assertEquals(0, limit.takeMissed());
        assertTrue(limit.take(startNs + SECOND_NS));
        assertTrue(limit.take(startNs + SECOND_NS + 1));
        assertFalse(limit.take(startNs + SECOND_NS + 2));
        assertEquals(1, limit.takeMissed());
    }
}
