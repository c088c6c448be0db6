package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.onesided.testing.NoLostWakeUps;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.VerbsException;
import org.onesided.waiting.LostWakeUps;

class CompletionLoopTest
{
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final Deadline deadline = new Deadline();
    private VerbsException failure;
    private int sleeps;
    private final long before = LostWakeUps.total();
    private LongFunction<CompletionQueue> asleep = (timeoutNs) -> null;
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
                sleeps++;
                return asleep.apply(timeoutNs);
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

    @Test
    void shouldCountAWakeUpThatDoesNotComeForACompletion()
    {
        NoLostWakeUps.pardon(1);
        asleep = this::sleepThrough;
        awaitRead();
        assertEquals(2, sleeps, "a sleep to its upper limit, and the look for a late event");
        assertEquals(before + 1, LostWakeUps.total());
        assertEquals(0, LostWakeUps.takeUnreported(), "it was logged");
    }

    @Test
    void shouldNotCountAWakeUpThatComesALittleLater()
    {
        asleep = (timeoutNs) -> sleeps == 1 ? sleepThrough(timeoutNs) : wire;
        awaitRead();
        assertEquals(2, sleeps);
        assertEquals(before, LostWakeUps.total());
    }

    @Test
    void shouldNotCountAnEventThatCameInTime()
    {
        asleep = (timeoutNs) ->
        {
            wire.complete(CompletionLoop.readId(0));
            return wire;
        };
        awaitRead();
        assertEquals(1, sleeps);
        assertEquals(before, LostWakeUps.total());
    }

    /** No event comes, though the READ completes meanwhile. */
    private CompletionQueue sleepThrough(final long timeoutNs)
    {
        if (sleeps == 1)
        {
            wire.complete(CompletionLoop.readId(0));
        }
        final long endNs = System.nanoTime() + timeoutNs;
        while (System.nanoTime() - endNs < 0)
        {
            LockSupport.parkNanos(endNs - System.nanoTime());
        }
        return null;
    }

    private void awaitRead()
    {
        deadline.begin(TimeUnit.SECONDS.toNanos(60));
        loop.readsPosted(0, 1);
        loop.awaitReads(0);
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
