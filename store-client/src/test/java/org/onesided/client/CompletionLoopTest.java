package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

class CompletionLoopTest
{
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final Deadline deadline = new Deadline();
    private VerbsException failure;
    private final CompletionLoop loop = new CompletionLoop(
        new FakeWire(),
        new CompletionChannel()
        {
            @Override
            public CompletionQueue awaitEvent(final long timeoutNs)
            {
                if (failure != null)
                {
                    throw failure;
                }
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
        deadline,
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

    @Test
    void shouldBeLostWhenItsChannelFails()
    {
        deadline.begin(TimeUnit.SECONDS.toNanos(60));
        failure = new VerbsException("get_cq_event", Errno.EIO, "device=test");
        loop.readsPosted(0, 1);

        final AttachmentLostException lost = assertThrows(AttachmentLostException.class, () -> loop.awaitReads(0));
        assertTrue(lost.getMessage().contains("get_cq_event: EIO"), lost.getMessage());
        assertTrue(loop.isLost());
        assertTrue(loop.isReading());
    }
}
