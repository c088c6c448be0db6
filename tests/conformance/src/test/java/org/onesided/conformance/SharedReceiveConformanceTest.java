package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;

/**
 * Receives that several queue pairs take from.
 */
final class SharedReceiveConformanceTest extends Conformance
{
    private Pair pair;
    private QueuePair otherA;
    private QueuePair otherB;

    @BeforeEach
    void open()
    {
        pair = pair(new Setup().rnr(7, 12), new Setup().rnr(7, 12).sharedReceives());
        otherA = pair.a.newQueuePair();
        otherB = pair.b.newQueuePair();
        Pair.connect(pair.a, otherA, pair.b, otherB);
    }

    @Test
    void shouldServeTwoQueuePairsInTheOrderOfPosting()
    {
        for (int i = 0; i < 6; i++)
        {
            pair.b.receive(i, 1024 + 64 * i, 64);
        }
        for (int i = 0; i < 6; i++)
        {
            final boolean first = i % 2 == 0;
            pair.a.fill(0, 32, i);
            pair.a.prepare(0, i, Opcode.SEND, SendFlags.SIGNALED, 0, 32, pair.b, 0);
            assertEquals(0, pair.a.sends.post(first ? pair.a.queuePair : otherA, 1));
            final Completion received = pair.received(pair.b, i);
            assertEquals(first ? pair.b.queuePair.number() : otherB.number(), received.queuePair());
            assertEquals(32, received.byteLength());
            pair.b.expect(1024 + 64 * i, 32, i);
            pair.sent(pair.a, i);
        }
        pair.expectQuiet();
    }

    @Test
    void shouldTakePostsBeforeAnyQueuePairIsConnected()
    {
        final Pair fresh = unconnected(new Setup(), new Setup().sharedReceives());
        fresh.b.receive(1, 1024, 64);
        fresh.connect();
        fresh.a.send(2, 0, 8);
        fresh.received(fresh.b, 1);
        fresh.sent(fresh.a, 2);
    }

    @Test
    void shouldRefuseReceivesOfTheQueuePairsOwn()
    {
        pair.b.receives.at(0).begin(1).element(pair.b.address(0), 64, pair.b.region.localKey());
        assertEquals(Errno.EINVAL, pair.b.receives.post(pair.b.queuePair, 1));
        assertEquals(0, pair.b.receives.firstRefused());
    }

    @Test
    void shouldRefuseReceivesWhenFull()
    {
        final int room = pair.b.sharedReceives.maxWorkRequests();
        assertTrue(room >= pair.b.setup.receives, "room=" + room);
        for (int i = 0; i < room - 1; i++)
        {
            pair.b.receive(i, 1024, 64);
        }
        for (int i = 0; i < 2; i++)
        {
            pair.b.receives.at(i).begin(100 + i).element(pair.b.address(0), 64, pair.b.region.localKey());
        }
        assertEquals(Errno.ENOMEM, pair.b.receives.post(pair.b.sharedReceives, 2));
        assertEquals(1, pair.b.receives.firstRefused());
        pair.a.send(1, 0, 8);
        pair.received(pair.b, 0);
        pair.b.receive(200, 1024, 64);
    }

    @Test
    void shouldRefuseTooManyElements()
    {
        pair.b.receives.at(0).begin(1);
        for (int i = 0; i < 32; i++)
        {
            pair.b.receives.at(0).element(pair.b.address(0), 1, pair.b.region.localKey());
        }
        assertEquals(Errno.EINVAL, pair.b.receives.post(pair.b.sharedReceives, 1));
        assertEquals(0, pair.b.receives.firstRefused());
    }

    @Test
    void shouldBeNotReadyWhenEmpty()
    {
        pair.a.send(1, 0, 8);
        pair.a.prepare(0, 2, Opcode.SEND, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        assertEquals(0, pair.a.sends.post(otherA, 1));
        pair.expectQuiet();
        pair.b.receive(10, 1024, 64);
        final Completion first = pair.received(pair.b, 10);
        pair.b.receive(11, 1024, 64);
        final Completion second = pair.received(pair.b, 11);
        assertTrue(first.queuePair() != second.queuePair(), first + " " + second);
        assertTrue(pair.sent(pair.a).isSuccess());
        assertTrue(pair.sent(pair.a).isSuccess());
    }

    @Test
    void shouldKeepItsReceivesWhenAQueuePairFails()
    {
        pair.b.receive(1, 1024, 64);
        pair.b.receive(2, 1024, 64);
        ReliableConnection.fail(pair.b.queuePair);
        pair.expectQuiet();
        pair.a.prepare(0, 3, Opcode.SEND, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        assertEquals(0, pair.a.sends.post(otherA, 1));
        assertEquals(otherB.number(), pair.received(pair.b, 1).queuePair());
        assertEquals(otherA.number(), pair.sent(pair.a, 3).queuePair());
    }

    @Test
    void shouldTellWhenAFailedQueuePairTakesNoMoreOfThem()
    {
        ReliableConnection.fail(pair.b.queuePair);
        assertEquals(
            new AsyncEvent(AsyncEvent.Type.QP_LAST_WQE_REACHED, pair.b.queuePair.number()),
            pair.b.context.awaitAsyncEvent(2_000_000_000L));
    }

    @Test
    void shouldFailOnlyTheQueuePairWhoseMessageIsTooLong()
    {
        pair.b.receive(1, 1024, 16);
        pair.b.receive(2, 1024, 64);
        pair.a.send(3, 0, 17);
        final Completion tooLong = pair.received(pair.b, 1, CompletionStatus.LOC_LEN_ERR);
        assertEquals(pair.b.queuePair.number(), tooLong.queuePair());
        pair.sent(pair.a, 3, CompletionStatus.REM_INV_REQ_ERR);
        pair.awaitState(pair.b, QueuePairState.ERR);
        pair.expectQuiet();
        pair.a.prepare(0, 4, Opcode.SEND, SendFlags.SIGNALED, 0, 17, pair.b, 0);
        assertEquals(0, pair.a.sends.post(otherA, 1));
        pair.received(pair.b, 2);
        pair.sent(pair.a, 4);
    }

    @Test
    void shouldGoOnWhenAQueuePairIsDestroyed() throws Exception
    {
        pair.b.receive(1, 1024, 64);
        pair.b.closers.closeNow(pair.b.queuePair);
        pair.a.prepare(0, 3, Opcode.SEND, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        assertEquals(0, pair.a.sends.post(otherA, 1));
        assertTrue(pair.received(pair.b).isSuccess());
        assertTrue(pair.sent(pair.a).isSuccess());
    }

    @Test
    void shouldRefuseCapacitiesOutOfRange()
    {
        final DeviceAttributes limits = pair.b.context.queryDevice();
        final int[][] wrong =
        {
            {0, 1}, {-1, 1}, {limits.maxSharedReceiveWorkRequests() + 1, 1}, {4, limits.maxScatterGather() + 1}, {4, -1}
        };
        for (final int[] w : wrong)
        {
            final VerbsException refused = assertThrows(
                VerbsException.class, () -> pair.b.domain.createSharedReceiveQueue(w[0], w[1]));
            assertEquals(Errno.EINVAL, refused.errno(), refused.getMessage());
        }
    }
}
