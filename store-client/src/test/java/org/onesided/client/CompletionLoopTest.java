package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;

class CompletionLoopTest
{
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final CompletionLoop loop = new CompletionLoop(
        new FakeWire(),
        new CompletionChannel()
        {
            @Override
            public CompletionQueue awaitEvent(final long timeoutNs)
            {
                return null;
            }

            @Override
            public void wakeUp()
            {
                wakeUps.incrementAndGet();
            }

            @Override
            public void close()
            {
                // Nothing to free.
            }
        },
        new Deadline(),
        0);

    @Test
    void shouldNotWakeAChannelThatMayBeClosed()
    {
        loop.lose("first");
        assertEquals(1, wakeUps.get());

        loop.close();
        loop.lose("second");
        assertEquals(1, wakeUps.get());
        assertEquals("first", loop.lostReason());
    }
}
