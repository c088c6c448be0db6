package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.SendFlags;

/**
 * Receiver not ready: a message finds no receive posted.
 */
final class RnrConformanceTest extends Conformance
{
    /** Code of 10.24 ms. */
    private static final int TEN_MILLIS = 20;
    private static final long TEN_MILLIS_NS = 10_240_000;

    /** Code of 491.52 ms. */
    private static final int LONGEST = 31;
    private static final long LONGEST_NS = 491_520_000;
    private static final int ATTEMPTS = 10;

    @Test
    void shouldSucceedOnceAReceiveIsPosted()
    {
        final Pair pair = pair(new Setup().rnr(7, 12), new Setup().rnr(7, 12));
        pair.a.fill(0, 64, 1);
        pair.a.send(1, 0, 64);
        pair.a.send(2, 0, 64);
        pair.expectQuiet();
        pair.b.receive(10, 1024, 64);
        pair.received(pair.b, 10);
        pair.sent(pair.a, 1);
        pair.b.expect(1024, 64, 1);
        pair.expectQuiet();
        pair.b.receive(11, 2048, 64);
        pair.received(pair.b, 11);
        pair.sent(pair.a, 2);
    }

    @Test
    void shouldRetryWithinTheCount()
    {
        // Six retries of 122 ms leave time for the receive.
        final Pair pair = pair(new Setup().rnr(6, 27), new Setup().rnr(6, 27));
        pair.a.send(1, 0, 8);
        pair.run(150);
        assertTrue(pair.a.sent.isEmpty());
        pair.b.receive(10, 1024, 64);
        pair.received(pair.b, 10);
        pair.sent(pair.a, 1);
    }

    @Test
    void shouldGiveUpAtOnceWithoutRetries()
    {
        final Pair pair = pair(new Setup().rnr(0, 12), new Setup().rnr(0, 12));
        pair.a.receive(5, 0, 64);
        pair.a.send(1, 0, 8);
        pair.a.send(2, 0, 8, 0);
        pair.sent(pair.a, 1, CompletionStatus.RNR_RETRY_EXC_ERR);
        pair.sent(pair.a, 2, CompletionStatus.WR_FLUSH_ERR);
        pair.received(pair.a, 5, CompletionStatus.WR_FLUSH_ERR);
        pair.awaitState(pair.a, QueuePairState.ERR);
        assertEquals(QueuePairState.RTS, pair.b.queuePair.state(), "the receiver did nothing wrong");
        pair.expectQuiet();
    }

    @Test
    void shouldGiveUpAfterAllRetries()
    {
        final Pair pair = pair(new Setup().rnr(3, 12), new Setup().rnr(3, TEN_MILLIS));
        final long start = System.nanoTime();
        pair.a.send(1, 0, 8);
        pair.sent(pair.a, 1, CompletionStatus.RNR_RETRY_EXC_ERR);
        final long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= 3 * TEN_MILLIS_NS, "3 retries of 10.24 ms took ns=" + elapsed);
    }

    @Test
    void shouldRetryForEverWithSeven()
    {
        final Pair pair = pair(new Setup().rnr(7, 1), new Setup().rnr(7, 1));
        pair.a.send(1, 0, 8);
        pair.run(400);
        assertEquals("[]", pair.a.sent.toString());
        assertEquals(QueuePairState.RTS, pair.a.queuePair.state());
        pair.b.receive(10, 0, 64);
        pair.received(pair.b, 10);
        pair.sent(pair.a, 1);
    }

    @Test
    void shouldTakeTheReceiversTimerCodeZeroAs655Millis()
    {
        final Pair pair = pair(new Setup().rnr(1, 1), new Setup().rnr(1, 0));
        final long start = System.nanoTime();
        pair.a.send(1, 0, 8);
        pair.sent(pair.a, 1, CompletionStatus.RNR_RETRY_EXC_ERR);
        final long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= TimeUnit.MILLISECONDS.toNanos(655), "one retry of 655.36 ms took ns=" + elapsed);
    }

    @Test
    void shouldRetryNoOftenerThanTheCount()
    {
        // A second retry would double the time. A busy machine may delay some attempts that much, hardly all.
        long shortest = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && shortest >= 2 * LONGEST_NS; attempt++)
        {
            final Pair pair = pair(new Setup().rnr(1, 1), new Setup().rnr(1, LONGEST));
            final long start = System.nanoTime();
            pair.a.send(1, 0, 8);
            pair.sent(pair.a, 1, CompletionStatus.RNR_RETRY_EXC_ERR);
            shortest = Math.min(shortest, System.nanoTime() - start);
        }
        assertTrue(shortest >= LONGEST_NS && shortest < 2 * LONGEST_NS, "one retry of 491.52 ms took ns=" + shortest);
    }

    @Test
    void shouldNeedAReceiveForAWriteWithImmediate()
    {
        final Pair pair = pair(new Setup().rnr(0, 12), new Setup().rnr(0, 12));
        pair.a.fill(0, 8, 1);
        pair.a.write(1, 0, 8, pair.b, 0);
        pair.sent(pair.a, 1);
        pair.a.prepare(0, 2, Opcode.RDMA_WRITE_WITH_IMM, SendFlags.SIGNALED, 0, 8, pair.b, 8);
        pair.a.post(1);
        pair.sent(pair.a, 2, CompletionStatus.RNR_RETRY_EXC_ERR);
    }

    @Test
    void shouldHoldBackWhatIsBehind()
    {
        final Pair pair = pair(new Setup().rnr(7, 12), new Setup().rnr(7, 12));
        pair.a.fill(0, 8, 1);
        pair.a.send(1, 0, 8);
        pair.a.write(2, 0, 8, pair.b, 1024);
        pair.expectQuiet();
        pair.b.expectZero(1024, 8);
        pair.b.receive(10, 0, 64);
        pair.sent(pair.a, 1);
        pair.sent(pair.a, 2);
        pair.received(pair.b, 10);
        pair.b.expect(1024, 8, 1);
    }

    @Test
    void shouldRetryAgainInFullForTheNextMessage()
    {
        // Each message may use up its retries; what one used is not missing for the next.
        final Pair pair = pair(new Setup().rnr(6, 25), new Setup().rnr(6, 25));
        for (int i = 0; i < 4; i++)
        {
            pair.a.send(i, 0, 8);
            pair.run(130);
            assertTrue(pair.a.sent.isEmpty(), pair::toString);
            pair.b.receive(10 + i, 0, 64);
            pair.received(pair.b, 10 + i);
            pair.sent(pair.a, i);
        }
    }
}
