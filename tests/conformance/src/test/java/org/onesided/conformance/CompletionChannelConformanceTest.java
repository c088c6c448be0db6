package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.testing.HangGuard;
import org.onesided.testing.TestSize;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;

/**
 * Arming, events, and sleeping until one comes.
 */
final class CompletionChannelConformanceTest extends Conformance
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int ROUNDS_TO_ARRIVE = 1_000;
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONG_NS = HangGuard.nanos(20);

    private Pair pair;
    private volatile Throwable echoFailure;

    @BeforeEach
    void open()
    {
        pair = pair();
        for (int i = 0; i < 8; i++)
        {
            pair.b.receive(i, 1024, 64);
        }
    }

    @Test
    void shouldTellNothingUnlessArmed()
    {
        pair.a.send(1, 0, 8, SendFlags.SIGNALED | SendFlags.SOLICITED);
        assertNull(pair.b.channel.awaitEvent(SHORT_NS));
        pair.received(pair.b, 0);
        pair.sent(pair.a, 1);
    }

    @Test
    void shouldTellOnceOfTheQueueThatWasArmed()
    {
        arm(pair.b.receiveQueue, false);
        pair.a.send(1, 0, 8);
        pair.a.send(2, 0, 8);
        expectEvent(pair.b, pair.b.receiveQueue);
        assertNull(pair.b.channel.awaitEvent(SHORT_NS), "one event for one arming");
        pair.received(pair.b, 0);
        pair.received(pair.b, 1);
        pair.sent(pair.a, 1);
        pair.sent(pair.a, 2);
        pair.a.send(3, 0, 8);
        assertNull(pair.b.channel.awaitEvent(SHORT_NS), "not armed again");
    }

    @Test
    void shouldTellOnceHoweverOftenArmed()
    {
        arm(pair.b.receiveQueue, false);
        arm(pair.b.receiveQueue, false);
        arm(pair.b.receiveQueue, true);
        pair.a.send(1, 0, 8);
        expectEvent(pair.b, pair.b.receiveQueue);
        pair.a.send(2, 0, 8, SendFlags.SIGNALED | SendFlags.SOLICITED);
        assertNull(pair.b.channel.awaitEvent(SHORT_NS));
    }

    @Test
    void shouldTellOnlyOfCompletionsAddedAfterArming()
    {
        pair.a.write(1, 0, 8, pair.b, 0);
        final long end = System.nanoTime() + SHORT_NS;
        // A thread that loses its core would look only once in that time.
        for (int round = 0; round < ROUNDS_TO_ARRIVE || System.nanoTime() - end < 0; round++)
        {
            pair.a.progress();
            pair.b.poll();
        }
        arm(pair.a.sendQueue, false);
        assertNull(pair.a.channel.awaitEvent(SHORT_NS), "it was there before");
        pair.sent(pair.a, 1);
        pair.a.write(2, 0, 8, pair.b, 0);
        expectEvent(pair.a, pair.a.sendQueue);
        pair.sent(pair.a, 2);
    }

    @Test
    void shouldTellOfSendCompletions()
    {
        for (final int opcode : new int[] {Opcode.SEND, Opcode.RDMA_WRITE, Opcode.RDMA_READ})
        {
            arm(pair.a.sendQueue, false);
            pair.a.prepare(0, opcode, opcode, SendFlags.SIGNALED, 0, 8, pair.b, 0);
            pair.a.post(1);
            pair.b.poll();
            expectEvent(pair.a, pair.a.sendQueue);
            pair.sent(pair.a, opcode);
        }
    }

    @Test
    void shouldNotWakeASolicitedOnlyWaiterForOthers()
    {
        arm(pair.b.receiveQueue, true);
        pair.a.send(1, 0, 8);
        assertNull(pair.b.channel.awaitEvent(SHORT_NS));
        pair.received(pair.b, 0);
        pair.sent(pair.a, 1);
        pair.a.send(2, 0, 8, SendFlags.SIGNALED | SendFlags.SOLICITED);
        expectEvent(pair.b, pair.b.receiveQueue);
        pair.received(pair.b, 1);
        pair.sent(pair.a, 2);
    }

    @Test
    void shouldWakeASolicitedOnlyWaiterForAWriteWithImmediate()
    {
        arm(pair.b.receiveQueue, true);
        pair.a.prepare(
            0, 1, Opcode.RDMA_WRITE_WITH_IMM, SendFlags.SIGNALED | SendFlags.SOLICITED, 0, 8, pair.b, 0);
        pair.a.post(1);
        expectEvent(pair.b, pair.b.receiveQueue);
        pair.received(pair.b, 0);
    }

    @Test
    void shouldNotWakeASolicitedOnlyWaiterForItsOwnSends()
    {
        arm(pair.a.sendQueue, true);
        pair.a.write(1, 0, 8, pair.b, 0, SendFlags.SIGNALED | SendFlags.SOLICITED);
        assertNull(pair.a.channel.awaitEvent(SHORT_NS));
        pair.sent(pair.a, 1);
    }

    @Test
    void shouldWakeASolicitedOnlyWaiterForFlushedReceives()
    {
        arm(pair.b.receiveQueue, true);
        ReliableConnection.fail(pair.b.queuePair);
        expectEvent(pair.b, pair.b.receiveQueue);
        pair.received(pair.b, 0, CompletionStatus.WR_FLUSH_ERR);
    }

    @Test
    void shouldWakeASolicitedOnlyWaiterForFailedSends()
    {
        arm(pair.a.sendQueue, true);
        pair.a.sends.at(0).begin(1, Opcode.RDMA_WRITE, 0)
            .element(pair.a.address(0), 8, pair.a.region.localKey())
            .remote(pair.b.address(0), pair.b.region.remoteKey() ^ 0x5A5A00);
        pair.a.post(1);
        // It fails before or with the event, if there is one: devices without it are not waited for longer.
        CompletionQueue told = null;
        final long endNs = System.nanoTime() + HangGuard.nanos(60);
        while (told == null && pair.a.queuePair.state() != QueuePairState.ERR && System.nanoTime() - endNs < 0)
        {
            told = pair.a.channel.awaitEvent(SHORT_NS);
        }
        told = told == null ? pair.a.channel.awaitEvent(HangGuard.nanos(2)) : told;
        assertSame(pair.a.sendQueue, told, "slept through an event");
        told.acknowledgeEvents(1);
        pair.sent(pair.a, 1, CompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void shouldWidenASolicitedOnlyArming()
    {
        arm(pair.b.receiveQueue, true);
        arm(pair.b.receiveQueue, false);
        pair.a.send(1, 0, 8);
        expectEvent(pair.b, pair.b.receiveQueue);
    }

    @Test
    void shouldWakeAWaiterThatSleepsWhileItsPeerActs() throws Exception
    {
        arm(pair.b.receiveQueue, false);
        final Thread peer = new Thread(() ->
        {
            sleepShortly();
            pair.a.send(1, 0, 8);
            pollUntilInterrupted(pair.a);
        }, "peer");
        peer.start();
        try
        {
            expectEvent(pair.b, pair.b.receiveQueue);
        }
        finally
        {
            stop(peer);
        }
        pair.received(pair.b, 0);
        pair.sent(pair.a, 1);
    }

    @Test
    void shouldWakeASenderWhoseReceiverBecomesReady() throws Exception
    {
        final Pair waiting = pair(new Setup().rnr(7, 12), new Setup().rnr(7, 12));
        arm(waiting.a.sendQueue, false);
        waiting.a.send(99, 0, 8);
        final Thread receiver = new Thread(() ->
        {
            sleepShortly();
            waiting.b.receive(10, 1024, 64);
            pollUntilInterrupted(waiting.b);
        }, "receiver");
        receiver.start();
        try
        {
            expectEvent(waiting.a, waiting.a.sendQueue);
        }
        finally
        {
            stop(receiver);
        }
        waiting.sent(waiting.a, 99);
        waiting.received(waiting.b, 10);
    }

    @Test
    void shouldWakeASleepingSenderWhenItGivesUp() throws Exception
    {
        final Pair waiting = pair(new Setup().rnr(2, 20), new Setup().rnr(2, 20));
        arm(waiting.a.sendQueue, false);
        waiting.a.send(1, 0, 8);
        final Thread peer = new Thread(() -> pollUntilInterrupted(waiting.b), "peer");
        peer.start();
        try
        {
            expectEvent(waiting.a, waiting.a.sendQueue);
        }
        finally
        {
            stop(peer);
        }
        waiting.sent(waiting.a, 1, CompletionStatus.RNR_RETRY_EXC_ERR);
    }

    @Test
    void shouldLoseNoCompletionBetweenArmingAndWaiting() throws Exception
    {
        // Arm, poll again, wait: against a peer that answers as fast as it can.
        final int rounds = TestSize.of(3000, 500);
        final Thread echo = new Thread(() -> echo(pair.b, rounds), "echo");
        pair.a.receive(0, 1024, 64);
        pair.a.receive(1, 1024, 64);
        echo.start();
        try
        {
            for (int i = 0; i < rounds; i++)
            {
                pair.a.send(i, 0, 8);
                sleepUntilReceived(pair.a);
                assertTrue(pair.a.received.remove().isSuccess());
                pair.a.receive(i + 2, 1024, 64);
                while (pair.a.sent.isEmpty())
                {
                    pair.a.poll();
                    Thread.onSpinWait();
                }
                assertTrue(pair.a.sent.remove().isSuccess());
            }
        }
        finally
        {
            echo.join(TimeUnit.NANOSECONDS.toMillis(LONG_NS));
            stop(echo);
        }
        assertNull(echoFailure);
    }

    // Processor time is measured.
    @Tag("timing")
    @Test
    void shouldNotSpinWhileItWaits()
    {
        final long waited = HangGuard.nanos(1);
        arm(pair.b.receiveQueue, false);
        pair.b.channel.awaitEvent(SHORT_NS);
        final Map<Long, Long> before = processorTimes();
        assertNull(pair.b.channel.awaitEvent(waited));
        final Map<Long, Long> after = processorTimes();
        // All of Java's threads, so those of the device too; the compiler's are not among them.
        after.forEach((thread, time) ->
        {
            final long used = time - before.getOrDefault(thread, 0L);
            assertTrue(used < waited / 4, () ->
                "CPU time of waiting ns=" + waited + ": ns=" + used + ", " + THREADS.getThreadInfo(thread, 20));
        });
    }

    /** By thread; of those that live. */
    private static Map<Long, Long> processorTimes()
    {
        return Arrays.stream(THREADS.getAllThreadIds())
            .boxed()
            .collect(Collectors.toMap(Function.identity(), THREADS::getThreadCpuTime));
    }

    @Test
    void shouldOnlyLookWithTimeoutZero()
    {
        arm(pair.b.receiveQueue, false);
        assertNull(pair.b.channel.awaitEvent(0));
        pair.a.send(1, 0, 8);
        pair.await("an event", () ->
        {
            final CompletionQueue queue = pair.b.channel.awaitEvent(0);
            if (queue != null)
            {
                queue.acknowledgeEvents(1);
            }
            return queue != null;
        });
    }

    @Test
    void shouldReturnWhenWokenUp() throws Exception
    {
        pair.b.channel.wakeUp();
        assertNull(pair.b.channel.awaitEvent(LONG_NS), "woken before");
        final Thread waker = new Thread(() ->
        {
            sleepShortly();
            pair.b.channel.wakeUp();
        }, "waker");
        waker.start();
        final long start = System.nanoTime();
        assertNull(pair.b.channel.awaitEvent(LONG_NS), "woken meanwhile");
        assertTrue(System.nanoTime() - start < LONG_NS);
        waker.join();
        assertNull(pair.b.channel.awaitEvent(SHORT_NS), "each wake-up is for one wait");
    }

    @Test
    void shouldNotDestroyAQueueWithAnEventThatWasNotAcknowledged() throws Exception
    {
        arm(pair.b.receiveQueue, false);
        pair.a.send(1, 0, 8);
        assertSame(pair.b.receiveQueue, pair.b.channel.awaitEvent(LONG_NS));
        pair.b.closers.closeNow(pair.b.queuePair);
        final VerbsException refused = assertThrows(VerbsException.class, pair.b.receiveQueue::close);
        assertEquals(Errno.EBUSY, refused.errno(), refused.getMessage());
        pair.b.receiveQueue.acknowledgeEvents(1);
        pair.b.closers.closeNow(pair.b.receiveQueue);
    }

    @Test
    void shouldRefuseToArmWithoutAChannel()
    {
        final CompletionQueue queue = pair.a.closers.add(pair.a.context.createCompletionQueue(4, null, 0));
        assertEquals(Errno.EINVAL, queue.requestNotify(false));
    }

    private void echo(final Side side, final int rounds)
    {
        try
        {
            for (int i = 0; i < rounds; i++)
            {
                sleepUntilReceived(side);
                assertTrue(side.received.remove().isSuccess());
                side.receive(i + 8, 1024, 64);
                side.send(i, 0, 8);
                while (side.sent.isEmpty())
                {
                    side.poll();
                    Thread.onSpinWait();
                }
                assertTrue(side.sent.remove().isSuccess());
            }
        }
        catch (final Throwable ex)
        {
            echoFailure = ex;
        }
    }

    /**
     * As a program waits: poll; arm; poll again; sleep.
     */
    private static void sleepUntilReceived(final Side side)
    {
        final long end = System.nanoTime() + LONG_NS;
        side.poll();
        while (side.received.isEmpty())
        {
            assertTrue(System.nanoTime() - end < 0, "slept through a completion");
            arm(side.receiveQueue, false);
            side.poll();
            if (side.received.isEmpty())
            {
                final CompletionQueue queue = side.channel.awaitEvent(LONG_NS);
                assertSame(side.receiveQueue, queue, "slept through a completion");
                queue.acknowledgeEvents(1);
                side.poll();
            }
            else
            {
                // The event of the completion just polled is there or will be.
                final CompletionQueue queue = side.channel.awaitEvent(0);
                if (queue != null)
                {
                    queue.acknowledgeEvents(1);
                }
            }
        }
    }

    private static void arm(final CompletionQueue queue, final boolean solicitedOnly)
    {
        assertEquals(0, queue.requestNotify(solicitedOnly));
    }

    private static void expectEvent(final Side side, final CompletionQueue queue)
    {
        final CompletionQueue told = side.channel.awaitEvent(LONG_NS);
        assertSame(queue, told, "slept through an event");
        told.acknowledgeEvents(1);
    }

    private static void sleepShortly()
    {
        try
        {
            Thread.sleep(20);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static void pollUntilInterrupted(final Side side)
    {
        while (!Thread.currentThread().isInterrupted())
        {
            side.poll();
            Thread.yield();
        }
    }

    private static void stop(final Thread thread) throws InterruptedException
    {
        thread.interrupt();
        thread.join();
    }
}
