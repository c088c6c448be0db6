package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;

/**
 * Requests that fail on the way: what each side is told, and the flushing of all others.
 */
final class ErrorConformanceTest extends Conformance
{
    @Test
    void shouldFailBothSidesOfASendThatIsTooLong()
    {
        final Pair pair = pair();
        pair.b.receive(1, 0, 63);
        pair.b.receive(2, 0, 64);
        pair.a.fill(0, 64, 1);
        pair.a.send(1, 0, 64);
        pair.received(pair.b, 1, CompletionStatus.LOC_LEN_ERR);
        pair.sent(pair.a, 1, CompletionStatus.REM_INV_REQ_ERR);
        pair.received(pair.b, 2, CompletionStatus.WR_FLUSH_ERR);
        pair.awaitState(pair.a, QueuePairState.ERR);
        pair.awaitState(pair.b, QueuePairState.ERR);
        pair.expectQuiet();
    }

    @Test
    void shouldTakeASendThatJustFits()
    {
        final Pair pair = pair();
        pair.b.receive(1, 1024, 64);
        pair.a.fill(0, 64, 1);
        pair.a.send(1, 0, 64);
        pair.received(pair.b, 1);
        pair.sent(pair.a, 1);
        pair.b.expect(1024, 64, 1);
    }

    @Test
    void shouldFailASendFromABadLocalKey()
    {
        final Pair pair = pair();
        pair.b.receive(1, 0, 64);
        pair.a.sends.at(0).begin(1, Opcode.SEND, SendFlags.SIGNALED)
            .element(pair.a.address(0), 8, pair.a.region.localKey() ^ 0x5A5A00);
        pair.a.post(1);
        pair.sent(pair.a, 1, CompletionStatus.LOC_PROT_ERR);
        pair.awaitState(pair.a, QueuePairState.ERR);
        pair.expectQuiet();
        assertEquals(QueuePairState.RTS, pair.b.queuePair.state(), "nothing reached the peer");
    }

    @Test
    void shouldFailASendFromOutsideItsRegion()
    {
        for (final long offset : new long[] {-1, 64 * 1024 - 7, 64 * 1024, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE})
        {
            final Pair pair = pair();
            pair.a.sends.at(0).begin(1, Opcode.RDMA_WRITE, SendFlags.SIGNALED)
                .element(pair.a.memory.range().address() + offset, 8, pair.a.region.localKey())
                .remote(pair.b.address(0), pair.b.region.remoteKey());
            pair.a.post(1);
            pair.sent(pair.a, 1, CompletionStatus.LOC_PROT_ERR);
            pair.b.expectZero(0, 8);
            pair.close();
        }
    }

    @Test
    void shouldFailAReadIntoMemoryWithoutLocalWrite()
    {
        final Pair pair = pair(new Setup().regionAccess(Access.REMOTE_READ), new Setup());
        pair.b.fill(0, 8, 1);
        pair.a.read(1, 0, 8, pair.b, 0);
        pair.sent(pair.a, 1, CompletionStatus.LOC_PROT_ERR);
        pair.a.expectZero(0, 8);
        pair.awaitState(pair.a, QueuePairState.ERR);
    }

    @Test
    void shouldFailAReadIntoABadLocalKey()
    {
        final Pair pair = pair();
        pair.b.fill(0, 8, 1);
        pair.a.sends.at(0).begin(1, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(pair.a.address(0), 8, pair.a.region.localKey() ^ 0x5A5A00)
            .remote(pair.b.address(0), pair.b.region.remoteKey());
        pair.a.post(1);
        pair.sent(pair.a, 1, CompletionStatus.LOC_PROT_ERR);
        pair.a.expectZero(0, 8);
        pair.awaitState(pair.a, QueuePairState.ERR);
    }

    @Test
    void shouldSendFromMemoryThatMayOnlyBeReadLocally()
    {
        final Pair pair = pair(new Setup().regionAccess(0), new Setup());
        pair.b.receive(1, 0, 64);
        pair.a.fill(0, 8, 1);
        pair.a.send(1, 0, 8);
        pair.received(pair.b, 1);
        pair.sent(pair.a, 1);
        pair.b.expect(0, 8, 1);
    }

    @Test
    void shouldFailBothSidesOfAReceiveWithABadLocalKey()
    {
        final Pair pair = pair();
        pair.b.receives.at(0).begin(1).element(pair.b.address(0), 64, pair.b.region.localKey() ^ 0x5A5A00);
        assertEquals(0, pair.b.receives.post(pair.b.queuePair, 1));
        pair.a.send(2, 0, 8);
        pair.received(pair.b, 1, CompletionStatus.LOC_PROT_ERR);
        pair.sent(pair.a, 2, CompletionStatus.REM_OP_ERR);
        pair.awaitState(pair.a, QueuePairState.ERR);
        pair.awaitState(pair.b, QueuePairState.ERR);
    }

    @Test
    void shouldFailBothSidesOfAReceiveWithoutLocalWrite()
    {
        final Pair pair = pair(new Setup(), new Setup().regionAccess(Access.REMOTE_READ));
        pair.b.receive(1, 0, 64);
        pair.a.fill(0, 8, 1);
        pair.a.send(2, 0, 8);
        pair.received(pair.b, 1, CompletionStatus.LOC_PROT_ERR);
        pair.sent(pair.a, 2, CompletionStatus.REM_OP_ERR);
        pair.b.expectZero(0, 8);
    }

    @Test
    void shouldFlushAllOthersInTheirOrderUnsignaledOnesToo()
    {
        final Pair pair = pair();
        for (int i = 0; i < 4; i++)
        {
            pair.a.receive(100 + i, 1024, 64);
            pair.b.receive(200 + i, 1024, 64);
        }
        pair.a.fill(0, 8, 1);
        pair.a.prepare(0, 0, Opcode.RDMA_WRITE, 0, 0, 8, pair.b, 0);
        pair.a.prepare(1, 1, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 0, 8, pair.b, 8);
        pair.a.prepare(2, 2, Opcode.RDMA_WRITE, 0, 0, 8, pair.b, 16);
        pair.a.sends.at(2).remote(pair.b.address(16), pair.b.region.remoteKey() ^ 0x5A5A00);
        pair.a.prepare(3, 3, Opcode.RDMA_WRITE, 0, 0, 8, pair.b, 24);
        pair.a.prepare(4, 4, Opcode.SEND, SendFlags.SIGNALED, 0, 8, pair.b, 32);
        pair.a.prepare(5, 5, Opcode.RDMA_READ, 0, 0, 8, pair.b, 40);
        pair.a.post(6);

        pair.sent(pair.a, 1);
        pair.sent(pair.a, 2, CompletionStatus.REM_ACCESS_ERR);
        pair.sent(pair.a, 3, CompletionStatus.WR_FLUSH_ERR);
        pair.sent(pair.a, 4, CompletionStatus.WR_FLUSH_ERR);
        pair.sent(pair.a, 5, CompletionStatus.WR_FLUSH_ERR);
        for (int i = 0; i < 4; i++)
        {
            assertEquals(
                pair.a.queuePair.number(),
                pair.received(pair.a, 100 + i, CompletionStatus.WR_FLUSH_ERR).queuePair());
            pair.received(pair.b, 200 + i, CompletionStatus.WR_FLUSH_ERR);
        }
        pair.expectQuiet();
        pair.b.expect(0, 8, 1);
        pair.b.expect(8, 8, 1);
        pair.b.expectZero(16, 1024);
    }

    @Test
    void shouldFlushWhenMovedToErr()
    {
        final Pair pair = pair();
        for (int i = 0; i < 5; i++)
        {
            pair.a.receive(100 + i, 0, 8);
        }
        ReliableConnection.fail(pair.a.queuePair);
        for (int i = 0; i < 5; i++)
        {
            pair.received(pair.a, 100 + i, CompletionStatus.WR_FLUSH_ERR);
        }
        assertEquals(QueuePairState.ERR, pair.a.queuePair.query().state());
        pair.expectQuiet();
    }

    @Test
    void shouldFlushSendsThatWaitForAReceive()
    {
        final Pair pair = pair(new Setup().rnr(7, 12), new Setup().rnr(7, 12));
        for (int i = 0; i < 5; i++)
        {
            pair.a.send(i, 0, 8, i % 2 == 0 ? SendFlags.SIGNALED : 0);
        }
        pair.expectQuiet();
        ReliableConnection.fail(pair.a.queuePair);
        for (int i = 0; i < 5; i++)
        {
            pair.sent(pair.a, i, CompletionStatus.WR_FLUSH_ERR);
        }
        pair.expectQuiet();
        assertEquals(QueuePairState.RTS, pair.b.queuePair.state(), "the peer is not told");
    }

    @Test
    void shouldLeaveOtherQueuePairsAlone()
    {
        final Pair pair = pair();
        final var otherA = pair.a.newQueuePair();
        final var otherB = pair.b.newQueuePair();
        Pair.connect(pair.a, otherA, pair.b, otherB);
        pair.a.prepare(0, 1, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        pair.a.sends.at(0).remote(pair.b.address(0), 0x5A5A5A);
        pair.a.post(1);
        pair.sent(pair.a, 1, CompletionStatus.REM_ACCESS_ERR);

        pair.b.receive(otherB, 2, 0, 8);
        pair.a.prepare(0, 3, Opcode.SEND, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        assertEquals(0, pair.a.sends.post(otherA, 1));
        assertEquals(otherB.number(), pair.received(pair.b, 2).queuePair());
        assertEquals(otherA.number(), pair.sent(pair.a, 3).queuePair());
        assertEquals(QueuePairState.RTS, otherA.state());
        assertEquals(QueuePairState.RTS, otherB.state());
    }
}
