package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.VerbsException;

class CompletionLoopTest
{
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final Deadline deadline = new Deadline();
    private VerbsException failure;
    private final FakeWire wire = new FakeWire();
    private final CompletionLoop loop = new CompletionLoop(
        wire,
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
    void shouldTellWhatTheQueuePairKnowsOfItsFailure()
    {
        assertEquals("queue pair failed, peer cannot be reached: address=192.0.2.1:7 shard=0 " +
            "status=RETRY_EXC_ERR vendor_err=0x0 wr_id=0x100000000000000 qp_num=1",
            failedRead("peer cannot be reached: address=192.0.2.1:7"));
    }

    @Test
    void shouldTellWhatFailedWhereTheQueuePairKnowsNoMore()
    {
        assertEquals("queue pair failed, READ did not complete: shard=0 " +
            "status=RETRY_EXC_ERR vendor_err=0x0 wr_id=0x100000000000000 qp_num=1", failedRead(null));
    }

    private String failedRead(final String reason)
    {
        loop.explainBy(new QueuePair[] {wire});
        wire.failureReason(reason);
        wire.fail(CompletionLoop.readId(0), CompletionStatus.RETRY_EXC_ERR);
        loop.readsPosted(0, 1);
        return assertThrows(AttachmentLostException.class, () -> loop.awaitReads(0)).getMessage();
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
