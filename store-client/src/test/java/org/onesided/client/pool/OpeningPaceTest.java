package org.onesided.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OpeningPaceTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final OpeningPace pace = new OpeningPace(600 * MS);

    @Test
    void shouldLetAllTryWhileItWorks()
    {
        assertEquals(250 * MS, pace.begin(0));
        assertEquals(250 * MS, pace.begin(0));
        pace.end(true, 1);
        pace.end(true, 1);
        assertEquals(250 * MS, pace.begin(1));
    }

    @Test
    void shouldTrySeldomAndOneAtATimeOnceItFailed()
    {
        pace.begin(0);
        pace.end(false, 250 * MS);
        assertEquals(0, pace.begin(251 * MS));
        assertEquals(0, pace.begin(1249 * MS));
        assertEquals(500 * MS, pace.begin(1250 * MS));
        assertEquals(0, pace.begin(1250 * MS));
        pace.end(false, 1750 * MS);
        assertEquals(600 * MS, pace.begin(10_000 * MS));
        pace.end(true, 10_001 * MS);
        assertEquals(250 * MS, pace.begin(10_001 * MS));
    }
}
