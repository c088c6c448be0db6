package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;

/**
 * Peers that do not answer: destroyed, reset, failed, or not ready yet.
 */
final class GonePeerConformanceTest extends Conformance
{
    /** Code of 1.05 ms, so that all retries are soon used up. */
    private static final int MILLISECOND = 8;

    @Tag("full")
    @Test
    void shouldFailEveryOperationOnAPeerThatWasDestroyed() throws Exception
    {
        final int[] opcodes = {Opcode.SEND, Opcode.RDMA_WRITE, Opcode.RDMA_READ};
        for (final int opcode : opcodes)
        {
            final Pair pair = pair(new Setup().timeout(MILLISECOND, 3), new Setup());
            pair.b.closers.closeNow(pair.b.queuePair);
            pair.a.receive(5, 0, 64);
            pair.a.prepare(0, 1, opcode, SendFlags.SIGNALED, 0, 8, pair.b, 0);
            pair.a.prepare(1, 2, opcode, 0, 0, 8, pair.b, 0);
            pair.a.post(2);
            pair.sent(pair.a, 1, CompletionStatus.RETRY_EXC_ERR);
            pair.sent(pair.a, 2, CompletionStatus.WR_FLUSH_ERR);
            pair.received(pair.a, 5, CompletionStatus.WR_FLUSH_ERR);
            pair.awaitState(pair.a, QueuePairState.ERR);
            pair.close();
        }
    }

    @Test
    void shouldFailWhatIsOutstandingWhenThePeerIsDestroyed() throws Exception
    {
        final Pair pair = pair(new Setup().timeout(MILLISECOND, 3).rnr(7, 12), new Setup().rnr(7, 12));
        pair.a.send(1, 0, 8);
        pair.expectQuiet();
        pair.b.closers.closeNow(pair.b.queuePair);
        pair.sent(pair.a, 1, CompletionStatus.RETRY_EXC_ERR);
    }

    @Tag("full")
    @Test
    void shouldFailWhenTheWholePeerIsClosed()
    {
        final Pair pair = pair(new Setup().timeout(MILLISECOND, 3), new Setup());
        final long address = pair.b.address(0);
        final int key = pair.b.region.remoteKey();
        pair.b.close();
        pair.a.sends.at(0).begin(1, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(pair.a.address(0), 8, pair.a.region.localKey())
            .remote(address, key);
        pair.a.post(1);
        awaitAlone(pair.a);
        assertEquals(CompletionStatus.RETRY_EXC_ERR, pair.a.sent.remove().status());
    }

    @Test
    void shouldNotAnswerInErrOrReset()
    {
        // Both at the same time, since some devices are patient with a silent peer.
        final Pair failed = pair(new Setup().timeout(MILLISECOND, 3), new Setup());
        final Pair reset = pair(new Setup().timeout(MILLISECOND, 3), new Setup());
        ReliableConnection.fail(failed.b.queuePair);
        Attributes.reset(reset.b.queuePair);
        failed.a.read(1, 0, 8, failed.b, 0);
        reset.a.read(1, 0, 8, reset.b, 0);
        failed.sent(failed.a, 1, CompletionStatus.RETRY_EXC_ERR);
        reset.sent(reset.a, 1, CompletionStatus.RETRY_EXC_ERR);
    }

    @Test
    void shouldReachAPeerThatBecomesReadyInTime()
    {
        // 67 ms for each of seven tries.
        final Pair pair = unconnected(new Setup(), new Setup());
        final Endpoint endpointA = pair.a.endpoint(pair.a.queuePair);
        final Endpoint endpointB = pair.b.endpoint(pair.b.queuePair);
        ReliableConnection.initialise(pair.a.queuePair, pair.a.connection);
        ReliableConnection.initialise(pair.b.queuePair, pair.b.connection);
        ReliableConnection.connect(pair.a.queuePair, endpointA, endpointB, pair.a.connection);
        pair.b.receive(5, 1024, 64);
        pair.a.fill(0, 8, 1);
        pair.b.fill(2048, 8, 2);
        pair.a.send(1, 0, 8);
        pair.a.read(2, 64, 8, pair.b, 2048);
        pair.expectQuiet();
        ReliableConnection.connect(pair.b.queuePair, endpointB, endpointA, pair.b.connection);
        pair.received(pair.b, 5);
        pair.sent(pair.a, 1);
        pair.sent(pair.a, 2);
        pair.b.expect(1024, 8, 1);
        pair.a.expect(64, 8, 2);
    }

    @Tag("full")
    @Test
    void shouldFailOnAPeerThatDoesNotBecomeReady()
    {
        final Pair pair = unconnected(new Setup().timeout(MILLISECOND, 2), new Setup());
        final Endpoint endpointA = pair.a.endpoint(pair.a.queuePair);
        final Endpoint endpointB = pair.b.endpoint(pair.b.queuePair);
        ReliableConnection.initialise(pair.a.queuePair, pair.a.connection);
        ReliableConnection.initialise(pair.b.queuePair, pair.b.connection);
        ReliableConnection.connect(pair.a.queuePair, endpointA, endpointB, pair.a.connection);
        pair.b.receive(5, 1024, 64);
        pair.a.read(1, 0, 8, pair.b, 0);
        pair.sent(pair.a, 1, CompletionStatus.RETRY_EXC_ERR);
        assertEquals(QueuePairState.INIT, pair.b.queuePair.state());
        pair.expectQuiet();
    }

    @Tag("full")
    @Test
    void shouldNotReachAQueuePairThatIsConnectedToAnother()
    {
        final Pair pair = pair(new Setup().timeout(MILLISECOND, 2), new Setup());
        // The intruder knows the queue pair's number and all, but the queue pair has another peer.
        final Side intruder = side(new Setup().timeout(MILLISECOND, 2));
        final QueuePair guess = intruder.queuePair;
        pair.b.receive(5, 1024, 64);
        ReliableConnection.initialise(guess, intruder.connection);
        int status;
        try
        {
            ReliableConnection.connect(
                guess, intruder.endpoint(guess), pair.b.endpoint(pair.b.queuePair), intruder.connection);
            intruder.send(1, 0, 8);
            pair.await("the intruder's failure", () ->
            {
                intruder.poll();
                return !intruder.sent.isEmpty();
            });
            status = intruder.sent.remove().status();
        }
        catch (final VerbsException refused)
        {
            status = CompletionStatus.RETRY_EXC_ERR;
        }
        assertEquals(CompletionStatus.RETRY_EXC_ERR, status);
        pair.expectQuiet();
        pair.a.send(2, 0, 8);
        pair.received(pair.b, 5);
        pair.sent(pair.a, 2);
    }

    @Test
    void shouldReportAGonePeerOnlyAfterTimeoutAndRetries() throws Exception
    {
        // 16.8 ms, then three retries of as much.
        final Pair pair = pair(new Setup().timeout(12, 3), new Setup());
        pair.b.closers.closeNow(pair.b.queuePair);
        final long start = System.nanoTime();
        pair.a.write(1, 0, 8, pair.b, 0);
        pair.sent(pair.a, 1, CompletionStatus.RETRY_EXC_ERR);
        final long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= 4 * (4096L << 12), "reported after ns=" + elapsed);
    }

    @Tag("full")
    @Test
    void shouldReportAGonePeerAfterSevenRetries() throws Exception
    {
        final Pair pair = pair(new Setup().timeout(MILLISECOND, 7), new Setup());
        pair.b.closers.closeNow(pair.b.queuePair);
        pair.a.write(1, 0, 8, pair.b, 0);
        pair.await("eight timeouts of a millisecond", HangGuard.nanos(5), () -> !pair.a.sent.isEmpty());
        pair.sent(pair.a, 1, CompletionStatus.RETRY_EXC_ERR);
    }

    @Test
    void shouldWaitForEverForAGonePeerWithTimeoutZero() throws Exception
    {
        final Pair pair = pair(new Setup().timeout(0, 1), new Setup());
        pair.b.closers.closeNow(pair.b.queuePair);
        pair.a.write(1, 0, 8, pair.b, 0);
        pair.run(300);
        assertEquals("[]", pair.a.sent.toString());
    }

    private static void awaitAlone(final Side side)
    {
        final long end = System.nanoTime() + HangGuard.nanos(20);
        while (side.sent.isEmpty())
        {
            assertTrue(System.nanoTime() - end < 0, "waited in vain");
            side.poll();
            Thread.yield();
        }
    }
}
