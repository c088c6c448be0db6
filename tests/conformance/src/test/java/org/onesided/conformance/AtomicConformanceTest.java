package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.SendFlags;

/**
 * Compare-and-swap and fetch-and-add.
 */
final class AtomicConformanceTest extends Conformance
{
    @Test
    void shouldFetchAndAdd()
    {
        final Pair pair = pair();
        pair.b.word(64, Long.MAX_VALUE);
        pair.a.fetchAdd(1, 8, pair.b, 64, 3);
        final Completion completion = pair.sent(pair.a, 1);
        assertEquals(CompletionOpcode.FETCH_ADD, completion.opcode());
        assertEquals(8, completion.byteLength());
        assertEquals(Long.MAX_VALUE, pair.a.word(8), "the old value comes back");
        assertEquals(Long.MIN_VALUE + 2, pair.b.word(64));
        pair.a.fetchAdd(2, 16, pair.b, 64, -2);
        pair.sent(pair.a, 2);
        assertEquals(Long.MIN_VALUE, pair.b.word(64));
        pair.b.expectZero(56, 8);
        pair.b.expectZero(72, 8);
    }

    @Test
    void shouldSwapIfEqual()
    {
        final Pair pair = pair();
        pair.b.word(64, 0x0102_0304_0506_0708L);
        pair.a.compareSwap(1, 8, pair.b, 64, 0x0102_0304_0506_0708L, -5);
        assertEquals(CompletionOpcode.COMP_SWAP, pair.sent(pair.a, 1).opcode());
        assertEquals(0x0102_0304_0506_0708L, pair.a.word(8));
        assertEquals(-5, pair.b.word(64));
    }

    @Test
    void shouldNotSwapIfDifferent()
    {
        final Pair pair = pair();
        pair.b.word(64, 10);
        pair.a.compareSwap(1, 8, pair.b, 64, 11, 99);
        pair.sent(pair.a, 1);
        assertEquals(10, pair.a.word(8));
        assertEquals(10, pair.b.word(64));
    }

    @Test
    void shouldRefuseAnUnalignedWord()
    {
        for (final int offset : new int[] {1, 4, 7})
        {
            for (final boolean swap : new boolean[] {false, true})
            {
                final Pair pair = pair();
                if (swap)
                {
                    pair.a.compareSwap(1, 8, pair.b, offset, 0, 1);
                }
                else
                {
                    pair.a.fetchAdd(1, 8, pair.b, offset, 1);
                }
                pair.sent(pair.a, 1, CompletionStatus.REM_INV_REQ_ERR);
                pair.awaitState(pair.a, QueuePairState.ERR);
                pair.awaitState(pair.b, QueuePairState.ERR);
                pair.b.expectZero(0, 16);
                pair.close();
            }
        }
    }

    @Test
    void shouldFailWithABadLocalKeyForTheOldValue()
    {
        final Pair pair = pair();
        pair.a.sends.at(0).begin(1, Opcode.ATOMIC_FETCH_AND_ADD, SendFlags.SIGNALED)
            .element(pair.a.address(0), 8, 0x5A5A5A)
            .atomic(pair.b.address(0), pair.b.region.remoteKey(), 1, 0);
        pair.a.post(1);
        pair.sent(pair.a, 1, CompletionStatus.LOC_PROT_ERR);
        pair.awaitState(pair.a, QueuePairState.ERR);
    }

    @Test
    void shouldHaveEightBytesForTheOldValue()
    {
        for (final int length : new int[] {0, 4, 16})
        {
            final Pair pair = pair();
            pair.b.word(64, 5);
            pair.a.sends.at(0).begin(1, Opcode.ATOMIC_FETCH_AND_ADD, SendFlags.SIGNALED)
                .element(pair.a.address(0), length, pair.a.region.localKey())
                .atomic(pair.b.address(64), pair.b.region.remoteKey(), 1, 0);
            // A device finds it while posting or while executing.
            if (pair.a.sends.post(pair.a.queuePair, 1) == 0)
            {
                pair.sent(pair.a, 1, CompletionStatus.LOC_LEN_ERR);
            }
            assertEquals(5, pair.b.word(64));
            pair.a.expectZero(0, 64);
            pair.close();
        }
    }

    @Test
    void shouldReadWhatItAdded()
    {
        final Pair pair = pair();
        for (int i = 1; i <= 200; i++)
        {
            pair.a.fetchAdd(i, 8, pair.b, 64, 1);
            pair.a.read(i, 16, 8, pair.b, 64);
            pair.sent(pair.a, i);
            pair.sent(pair.a, i);
            assertEquals(i - 1, pair.a.word(8));
            assertEquals(i, pair.a.word(16));
        }
    }

    @Test
    void shouldLoseNoIncrementOfTwoQueuePairs() throws Exception
    {
        final Pair pair = pair();
        final Side second = side(new Setup());
        final QueuePair accepting = pair.b.newQueuePair();
        Pair.connect(second, second.queuePair, pair.b, accepting);
        final int rounds = 5000;
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread first = new Thread(() -> add(pair.a, pair.b, rounds, failure), "first");
        final Thread other = new Thread(() -> add(second, pair.b, rounds, failure), "second");
        first.start();
        other.start();
        while (first.isAlive() || other.isAlive())
        {
            pair.b.poll();
            Thread.yield();
        }
        first.join();
        other.join();
        assertEquals(null, failure.get());
        assertEquals(2L * rounds, pair.b.word(64));
    }

    @Test
    void shouldGiveALockToOneOnly() throws Exception
    {
        // Compare-and-swap as a lock around a word that is read and written apart.
        final Pair pair = pair();
        final Side second = side(new Setup());
        final QueuePair accepting = pair.b.newQueuePair();
        Pair.connect(second, second.queuePair, pair.b, accepting);
        final int rounds = 300;
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread first = new Thread(() -> locked(pair.a, pair.b, rounds, 1, failure), "first");
        final Thread other = new Thread(() -> locked(second, pair.b, rounds, 2, failure), "second");
        first.start();
        other.start();
        while (first.isAlive() || other.isAlive())
        {
            pair.b.poll();
            Thread.yield();
        }
        first.join();
        other.join();
        assertEquals(null, failure.get());
        assertEquals(2L * rounds, pair.b.word(128));
    }

    @Test
    void shouldDoAtomicsOnAnUntrustedPeer()
    {
        final Pair pair = pair(new Setup().untrustedPeer(), new Setup());
        pair.a.fetchAdd(1, 8, pair.b, 64, 5);
        pair.sent(pair.a, 1);
        assertEquals(5, pair.b.word(64));
    }

    private static void add(
        final Side side, final Side target, final int rounds, final AtomicReference<Throwable> failure)
    {
        try
        {
            long last = -1;
            for (int i = 0; i < rounds; i++)
            {
                side.fetchAdd(i, 8, target, 64, 1);
                complete(side);
                assertTrue(side.word(8) > last, "an old value came back");
                last = side.word(8);
            }
        }
        catch (final Throwable ex)
        {
            failure.compareAndSet(null, ex);
        }
    }

    private static void locked(
        final Side side, final Side target, final int rounds, final int me, final AtomicReference<Throwable> failure)
    {
        try
        {
            for (int i = 0; i < rounds; i++)
            {
                do
                {
                    side.compareSwap(i, 8, target, 64, 0, me);
                    complete(side);
                }
                while (side.word(8) != 0);
                side.read(i, 16, 8, target, 128);
                complete(side);
                side.word(16, side.word(16) + 1);
                side.write(i, 16, 8, target, 128);
                complete(side);
                side.compareSwap(i, 8, target, 64, me, 0);
                complete(side);
                assertEquals(me, side.word(8), "somebody took the lock");
            }
        }
        catch (final Throwable ex)
        {
            failure.compareAndSet(null, ex);
        }
    }

    private static void complete(final Side side)
    {
        final long end = System.nanoTime() + HangGuard.nanos(20);
        while (side.sent.isEmpty())
        {
            assertTrue(System.nanoTime() - end < 0, "waited in vain");
            side.poll();
        }
        final Completion completion = side.sent.remove();
        assertTrue(completion.isSuccess(), completion.toString());
    }
}
