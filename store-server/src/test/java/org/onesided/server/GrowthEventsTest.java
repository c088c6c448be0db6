package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.onesided.server.memory.RetiredMemory;

class GrowthEventsTest
{
    private final ServerFailure failure = new ServerFailure(() -> { }, () -> { });
    private final GrowthEvents events = new GrowthEvents(List.of(), failure);

    /** A log that is read back may need just this memory. */
    @Test
    void shouldGiveMemoryBackAtOnceWhileNoClientMayCome()
    {
        final AtomicInteger given = new AtomicInteger();
        events.retire(RetiredMemory.NONE, given::incrementAndGet);
        assertEquals(1, given.get());
        assertTrue(failure.isServing());
    }

    @Test
    void shouldEndTheServerWithTheGrowthThread()
    {
        events.onFailed(new IllegalStateException("no more segments"));
        assertFalse(failure.isServing());
        assertEquals("no more segments", failure.cause().getMessage());
    }
}
