package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;

/**
 * Objects used by several threads at a time.
 */
final class ConcurrencyConformanceTest extends Conformance
{
    private static final int ROUNDS = 1500;
    private static final long ALL_BYTES = 0x0101_0101_0101_0101L;

    @Test
    void shouldLetTwoThreadsPostOnTwoQueuePairsOfOneCompletionQueue() throws Exception
    {
        final Pair pair = pair();
        final QueuePair otherA = pair.a.newQueuePair();
        final QueuePair otherB = pair.b.newQueuePair();
        Pair.connect(pair.a, otherA, pair.b, otherB);
        run(pair, pair.a.queuePair, otherA);
    }

    @Test
    void shouldLetTwoThreadsPostOnOneQueuePair() throws Exception
    {
        final Pair pair = pair();
        run(pair, pair.a.queuePair, pair.a.queuePair);
    }

    @Test
    void shouldReadWholeWordsWhileTheyAreWritten() throws Exception
    {
        // A READ is atomic for each aligned 8 bytes, and no more than that.
        final Pair pair = pair();
        final Thread writer = new Thread(() ->
        {
            int round = 0;
            while (!Thread.currentThread().isInterrupted())
            {
                final long value = (++round & 0xFF) * ALL_BYTES;
                for (int i = 0; i < 64; i++)
                {
                    UnsafeApi.putLongVolatile(null, pair.b.address(8L * i), value);
                }
            }
        }, "writer");
        writer.start();
        try
        {
            for (int i = 0; i < ROUNDS; i++)
            {
                pair.a.read(i, 0, 512, pair.b, 0);
                pair.sent(pair.a, i);
                for (int w = 0; w < 64; w++)
                {
                    final long word = pair.a.word(8L * w);
                    assertEquals((word & 0xFF) * ALL_BYTES, word, "torn word");
                }
            }
        }
        finally
        {
            writer.interrupt();
            writer.join();
        }
    }

    /**
     * Each thread posts WRITEs of its own, into a full send queue where it can, and one thread polls for both. Together
     * they have no more under way than the completion queue holds.
     */
    private static void run(final Pair pair, final QueuePair first, final QueuePair second) throws Exception
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final int share = pair.a.sendQueue.capacity() / 2;
        final Semaphore[] rooms = {null, new Semaphore(share), new Semaphore(share)};
        final List<Thread> threads = new ArrayList<>();
        threads.add(new Thread(() -> post(pair, first, 1, rooms[1], failure), "first"));
        threads.add(new Thread(() -> post(pair, second, 2, rooms[2], failure), "second"));
        threads.forEach(Thread::start);
        final long[] next = new long[3];
        int completed = 0;
        final long end = System.nanoTime() + HangGuard.nanos(30);
        while (completed < 2 * ROUNDS && failure.get() == null && System.nanoTime() - end < 0)
        {
            pair.a.poll();
            pair.b.poll();
            while (!pair.a.sent.isEmpty())
            {
                final Completion completion = pair.a.sent.remove();
                assertTrue(completion.isSuccess(), completion.toString());
                final int thread = (int)(completion.id() >>> 32);
                assertEquals(next[thread]++, completion.id() & 0xFFFF_FFFFL, "out of order: thread=" + thread);
                assertEquals((thread == 1 ? first : second).number(), completion.queuePair());
                rooms[thread].release();
                completed++;
            }
        }
        threads.forEach(Thread::interrupt);
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertNull(failure.get());
        assertEquals(2 * ROUNDS, completed);
        assertEquals(ROUNDS - 1, pair.b.word(512));
        assertEquals(ROUNDS - 1, pair.b.word(1024));
    }

    private static void post(
        final Pair pair,
        final QueuePair queuePair,
        final int thread,
        final Semaphore room,
        final AtomicReference<Throwable> failure)
    {
        try (SendRequests requests = new SendRequests(1, 1))
        {
            for (int i = 0; i < ROUNDS; i++)
            {
                room.acquire();
                final int slot = thread * 4096 + (i % 64) * 8;
                pair.a.word(slot, i);
                requests.at(0).begin(((long)thread << 32) + i, Opcode.RDMA_WRITE, SendFlags.SIGNALED)
                    .element(pair.a.address(slot), 8, pair.a.region.localKey())
                    .remote(pair.b.address(512L * thread), pair.b.region.remoteKey());
                int errno = requests.post(queuePair, 1);
                while (errno != 0)
                {
                    assertEquals(Errno.ENOMEM, errno);
                    if (Thread.currentThread().isInterrupted())
                    {
                        return;
                    }
                    Thread.yield();
                    errno = requests.post(queuePair, 1);
                }
            }
        }
        catch (final Throwable ex)
        {
            failure.compareAndSet(null, ex);
        }
    }
}
