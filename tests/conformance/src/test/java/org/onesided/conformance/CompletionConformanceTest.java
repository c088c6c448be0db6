package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.WorkCompletions;

/**
 * Which requests complete, in what order, what polling frees, and what happens to completions nobody polls.
 */
final class CompletionConformanceTest extends Conformance
{
    /** Enough for what must not complete to complete. */
    private static final long WRITTEN_NS = 50_000_000;

    @Test
    void shouldCompleteInTheOrderOfPosting()
    {
        final Pair pair = pair();
        final int[] opcodes =
        {
            Opcode.RDMA_READ, Opcode.RDMA_WRITE, Opcode.ATOMIC_FETCH_AND_ADD, Opcode.SEND, Opcode.RDMA_WRITE,
            Opcode.RDMA_READ, Opcode.SEND, Opcode.ATOMIC_CMP_AND_SWP, Opcode.RDMA_WRITE
        };
        final boolean atomics = pair.a.context.queryDevice().atomics();
        pair.b.receive(100, 1024, 64);
        pair.b.receive(101, 1024, 64);
        for (int i = 0; i < opcodes.length; i++)
        {
            opcodes[i] = atomics || opcodes[i] <= Opcode.RDMA_READ ? opcodes[i] : Opcode.RDMA_READ;
            pair.a.prepare(i, i, opcodes[i], SendFlags.SIGNALED, 64 * i, 8, pair.b, 64 * i);
            if (opcodes[i] == Opcode.ATOMIC_FETCH_AND_ADD || opcodes[i] == Opcode.ATOMIC_CMP_AND_SWP)
            {
                pair.a.sends.at(i).atomic(pair.b.address(64 * i), pair.b.region.remoteKey(), 0, 0);
            }
        }
        pair.a.post(opcodes.length);
        for (int i = 0; i < opcodes.length; i++)
        {
            pair.sent(pair.a, i);
        }
        pair.received(pair.b, 100);
        pair.received(pair.b, 101);
        pair.expectQuiet();
    }

    @Test
    void shouldCompleteOnlySignaledRequests()
    {
        final Pair pair = pair();
        for (int i = 0; i < 9; i++)
        {
            pair.a.prepare(i, i, Opcode.RDMA_WRITE, i % 3 == 2 ? SendFlags.SIGNALED : 0, 0, 8, pair.b, 0);
        }
        pair.a.post(9);
        pair.sent(pair.a, 2);
        pair.sent(pair.a, 5);
        pair.sent(pair.a, 8);
        pair.expectQuiet();
    }

    @Test
    void shouldCompleteAllRequestsWithSignalAll()
    {
        final Pair pair = pair(new Setup().signalAll(), new Setup());
        for (int i = 0; i < 6; i++)
        {
            pair.a.prepare(i, i, Opcode.RDMA_WRITE, i % 2 == 0 ? SendFlags.SIGNALED : 0, 0, 8, pair.b, 0);
        }
        pair.a.post(6);
        for (int i = 0; i < 6; i++)
        {
            pair.sent(pair.a, i);
        }
        pair.expectQuiet();
    }

    /** The requests are carried out, without a look at their completions. */
    private static void awaitWritten(final Pair pair)
    {
        final long beginNs = System.nanoTime();
        final long longestNs = HangGuard.nanos(60);
        while (System.nanoTime() - beginNs < WRITTEN_NS ||
            !pair.b.holds(0, 8, 1) && System.nanoTime() - beginNs < longestNs)
        {
            pair.a.progress();
            pair.b.poll();
        }
        pair.b.expect(0, 8, 1);
    }

    @Test
    void shouldAlwaysCompleteReceives()
    {
        final Pair pair = pair();
        pair.b.receive(1, 0, 64);
        pair.a.send(2, 0, 8, 0);
        pair.received(pair.b, 1);
        pair.expectQuiet();
    }

    @Test
    void shouldFreeNoSlotForUnsignaledRequestsAlone()
    {
        final Pair pair = pair();
        final int room = fill(pair, 0);
        awaitWritten(pair);
        pair.run(50);
        pair.a.prepare(0, room, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        assertEquals(Errno.ENOMEM, pair.a.sends.post(pair.a.queuePair, 1));
    }

    @Test
    void shouldFreeSlotsOnlyWhenALaterSignaledCompletionIsPolled()
    {
        final Pair pair = pair();
        final int room = fill(pair, SendFlags.SIGNALED);
        awaitWritten(pair);
        pair.a.prepare(0, 999, Opcode.RDMA_WRITE, 0, 0, 8, pair.b, 0);
        assertEquals(Errno.ENOMEM, pair.a.sends.post(pair.a.queuePair, 1), "done, but not polled");

        pair.sent(pair.a, room - 1);
        assertEquals(room, fill(pair, SendFlags.SIGNALED), "one polled completion frees all before it");
        pair.sent(pair.a, room - 1);
        pair.expectQuiet();
    }

    @Test
    void shouldFreeOnlyTheSlotsBeforeThePolledCompletion()
    {
        final Pair pair = pair();
        final int room = pair.a.queuePair.initAttributes().maxSends();
        for (int i = 0; i < room; i++)
        {
            pair.a.write(i, 0, 8, pair.b, 0, i == 2 ? SendFlags.SIGNALED : 0);
        }
        pair.sent(pair.a, 2);
        for (int i = 0; i < 3; i++)
        {
            pair.a.write(100 + i, 0, 8, pair.b, 0, 0);
        }
        pair.a.prepare(0, 999, Opcode.RDMA_WRITE, 0, 0, 8, pair.b, 0);
        assertEquals(Errno.ENOMEM, pair.a.sends.post(pair.a.queuePair, 1));
    }

    @Test
    void shouldRunForEverWithOneSignaledRequestPerHalfQueue()
    {
        final Pair pair = pair();
        final int half = pair.a.queuePair.initAttributes().maxSends() / 2;
        int outstanding = 0;
        for (int round = 0; round < 500; round++)
        {
            for (int i = 0; i < half; i++)
            {
                pair.a.write(round, 0, 8, pair.b, 0, i == half - 1 ? SendFlags.SIGNALED : 0);
            }
            outstanding++;
            if (outstanding == 2)
            {
                pair.sent(pair.a, round - 1);
                outstanding--;
            }
        }
        pair.sent(pair.a, 499);
    }

    @Test
    void shouldPollNoMoreThanAskedFor() throws Exception
    {
        final Pair pair = pair();
        for (int i = 0; i < 5; i++)
        {
            pair.a.write(i, 0, 8, pair.b, 0);
        }
        try (WorkCompletions two = new WorkCompletions(2))
        {
            int taken = 0;
            while (taken < 5)
            {
                pair.b.poll();
                final int count = two.poll(pair.a.sendQueue);
                assertTrue(count >= 0 && count <= 2, "count=" + count);
                for (int i = 0; i < count; i++)
                {
                    assertEquals(taken++, two.id(i));
                }
            }
            assertEquals(0, two.poll(pair.a.sendQueue));
        }
    }

    @Test
    void shouldBreakWhenItOverflows()
    {
        final Setup few = new Setup().completions(4).sends(16);
        final Pair probe = unconnected(few, new Setup());
        final int capacity = probe.a.sendQueue.capacity();
        assertTrue(capacity >= 4, "capacity=" + capacity);
        probe.close();

        final Pair pair = pair(new Setup().completions(4).sends(capacity + 8), new Setup());
        for (int i = 0; i < capacity + 4; i++)
        {
            pair.a.write(i, 0, 8, pair.b, 0);
        }
        final long start = System.nanoTime();
        int polled = 0;
        AsyncEvent event = null;
        try (WorkCompletions one = new WorkCompletions(1))
        {
            // What was there before may still be handed out, no more than that. Some devices tell by the event alone.
            while (polled >= 0)
            {
                event = event == null ? pair.a.context.awaitAsyncEvent(0) : event;
                assertTrue(System.nanoTime() - start < HangGuard.nanos(20), "never found broken");
                pair.b.poll();
                if (System.nanoTime() - start > 50_000_000)
                {
                    polled = one.poll(pair.a.sendQueue);
                }
                else
                {
                    pair.a.progress();
                }
            }
            assertTrue(one.poll(pair.a.sendQueue) < 0, "broken for good");
        }
        event = event == null ? pair.a.context.awaitAsyncEvent(2_000_000_000L) : event;
        assertEquals(AsyncEvent.Type.CQ_ERR, event.type());
    }

    @Test
    void shouldNotOverflowWhenJustFull()
    {
        final Setup few = new Setup().completions(4).sends(16);
        final Pair probe = unconnected(few, new Setup());
        final int capacity = probe.a.sendQueue.capacity();
        probe.close();

        final Pair pair = pair(new Setup().completions(4).sends(capacity + 8), new Setup());
        for (int round = 0; round < 10; round++)
        {
            for (int i = 0; i < capacity; i++)
            {
                pair.a.write(i, 0, 8, pair.b, 0);
            }
            final long end = System.nanoTime() + 10_000_000;
            while (System.nanoTime() - end < 0)
            {
                pair.a.progress();
                pair.b.poll();
            }
            for (int i = 0; i < capacity; i++)
            {
                pair.sent(pair.a, i);
            }
        }
    }

    @Test
    void shouldDropTheCompletionsOfADestroyedQueuePair() throws Exception
    {
        final Pair pair = pair();
        final QueuePair otherA = pair.a.newQueuePair();
        final QueuePair otherB = pair.b.newQueuePair();
        Pair.connect(pair.a, otherA, pair.b, otherB);
        pair.a.write(1, 0, 8, pair.b, 0);
        pair.a.prepare(0, 2, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        assertEquals(0, pair.a.sends.post(otherA, 1));
        pair.a.write(3, 0, 8, pair.b, 0);
        final long end = System.nanoTime() + 20_000_000;
        while (System.nanoTime() - end < 0)
        {
            pair.a.progress();
            pair.b.poll();
        }
        pair.a.closers.closeNow(pair.a.queuePair);
        final Completion left = pair.sent(pair.a, 2);
        assertEquals(otherA.number(), left.queuePair());
        pair.run(30);
        assertEquals(List.of(), List.copyOf(pair.a.sent));
    }

    @Test
    void shouldCompleteNothingOfADestroyedQueuePair() throws Exception
    {
        final Pair pair = pair(new Setup().rnr(7, 12), new Setup().rnr(7, 12));
        pair.a.receive(1, 0, 64);
        pair.a.send(2, 0, 8);
        pair.a.closers.closeNow(pair.a.queuePair);
        pair.run(30);
        assertEquals(List.of(), List.copyOf(pair.a.sent));
        assertEquals(List.of(), List.copyOf(pair.a.received));
    }

    @Test
    void shouldShareOneQueueForSendsAndReceives()
    {
        final Pair pair = unconnected(new Setup(), new Setup());
        final CompletionQueue both = pair.a.closers.add(pair.a.context.createCompletionQueue(16, null, 0));
        final var asked = pair.a.initAttributes();
        final QueuePair shared = pair.a.closers.add(pair.a.domain.createQueuePair(
            new QueuePairInitAttributes(
                both, both, null, 4, 4, 1, 1, asked.maxInline(), false, false)));
        Pair.connect(pair.a, shared, pair.b, pair.b.queuePair);
        pair.a.receive(shared, 1, 0, 64);
        pair.b.send(2, 0, 8);
        pair.sent(pair.b, 2);
        pair.a.prepare(0, 3, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        assertEquals(0, pair.a.sends.post(shared, 1));
        pair.await("two completions", () ->
        {
            pair.a.sent.addAll(pair.a.poll(both));
            return pair.a.sent.size() == 2;
        });
        assertEquals(1, pair.a.sent.remove().id());
        assertEquals(3, pair.a.sent.remove().id());
    }

    @Test
    void shouldRefuseCapacitiesOutOfRange()
    {
        final Side side = side(new Setup());
        final int limit = side.context.queryDevice().maxCompletions();
        for (final int capacity : new int[] {0, -1, limit + 1})
        {
            final VerbsException refused = assertThrows(
                VerbsException.class, () -> side.context.createCompletionQueue(capacity, null, 0));
            assertEquals(Errno.EINVAL, refused.errno(), refused.getMessage());
        }
        final VerbsException refused = assertThrows(
            VerbsException.class, () -> side.context.createCompletionQueue(4, null, 100_000));
        assertEquals(Errno.EINVAL, refused.errno(), refused.getMessage());
        assertEquals(Errno.EINVAL, assertThrows(
            VerbsException.class, () -> side.context.createCompletionQueue(4, null, -1)).errno());
    }

    @Test
    void shouldReportFailuresOfUnsignaledRequests()
    {
        final Pair pair = pair();
        pair.a.prepare(0, 1, Opcode.RDMA_WRITE, 0, 0, 8, pair.b, 0);
        pair.a.sends.at(0).remote(pair.b.address(0), pair.b.region.remoteKey() ^ 0x5A5A00);
        pair.a.post(1);
        pair.sent(pair.a, 1, CompletionStatus.REM_ACCESS_ERR);
        pair.expectQuiet();
    }

    /**
     * Fills the send queue, the last request with {@code flagsOfLast}, the others unsignaled.
     */
    private static int fill(final Pair pair, final int flagsOfLast)
    {
        final int room = pair.a.queuePair.initAttributes().maxSends();
        pair.a.fill(0, 8, 1);
        for (int i = 0; i < room; i++)
        {
            pair.a.write(i, 0, 8, pair.b, 0, i == room - 1 ? flagsOfLast : 0);
        }
        return room;
    }
}
