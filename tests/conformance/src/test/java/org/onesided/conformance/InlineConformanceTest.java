package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.SendFlags;

/**
 * Inline payload: copied while posting.
 */
final class InlineConformanceTest extends Conformance
{
    private static final int INLINE = SendFlags.INLINE | SendFlags.SIGNALED;

    @Test
    void shouldLetTheBufferBeReusedAtOnce()
    {
        final Pair pair = pair();
        for (int i = 0; i < 8; i++)
        {
            pair.b.receive(i, 1024 + i * 64, 64);
        }
        for (int i = 0; i < 8; i++)
        {
            pair.a.fill(0, 48, i);
            pair.a.send(i, 0, 48, INLINE);
        }
        pair.a.fill(0, 48, 99);
        for (int i = 0; i < 8; i++)
        {
            pair.received(pair.b, i);
            pair.sent(pair.a, i);
            pair.b.expect(1024 + i * 64, 48, i);
        }
    }

    @Test
    void shouldNeedNoLocalKey()
    {
        final Pair pair = pair();
        pair.a.fill(0, 16, 1);
        pair.a.sends.at(0).begin(1, Opcode.RDMA_WRITE, INLINE)
            .element(pair.a.address(0), 7, 0xDEAD)
            .element(pair.a.address(7), 9, 0)
            .remote(pair.b.address(32), pair.b.region.remoteKey());
        pair.a.post(1);
        pair.sent(pair.a, 1);
        pair.b.expect(32, 16, 1);
    }

    @Test
    void shouldTakeAsMuchAsWasGranted()
    {
        final Pair pair = pair();
        final int limit = pair.a.queuePair.initAttributes().maxInline();
        pair.a.fill(0, limit, 4);
        pair.a.write(1, 0, limit, pair.b, 0, INLINE);
        pair.sent(pair.a, 1);
        pair.b.expect(0, limit, 4);
    }

    @Test
    void shouldRefuseMoreThanWasGranted()
    {
        final Pair pair = pair();
        final int limit = pair.a.queuePair.initAttributes().maxInline();
        pair.a.prepare(0, 1, Opcode.RDMA_WRITE, INLINE, 0, 1, pair.b, 0);
        pair.a.prepare(1, 2, Opcode.RDMA_WRITE, INLINE, 0, limit + 1, pair.b, 0);
        assertEquals(Errno.EINVAL, pair.a.sends.post(pair.a.queuePair, 2));
        assertEquals(1, pair.a.sends.firstRefused());
        pair.sent(pair.a, 1);
        pair.expectQuiet();
        assertEquals(QueuePairState.RTS, pair.a.queuePair.state());
    }

    @Test
    void shouldCountAllElementsTogether()
    {
        final Pair pair = pair();
        final int limit = pair.a.queuePair.initAttributes().maxInline();
        pair.a.sends.at(0).begin(1, Opcode.RDMA_WRITE, INLINE)
            .element(pair.a.address(0), limit, 0)
            .element(pair.a.address(0), 1, 0)
            .remote(pair.b.address(0), pair.b.region.remoteKey());
        assertEquals(Errno.EINVAL, pair.a.sends.post(pair.a.queuePair, 1));
        // Lengths are unsigned: these two must not add up to something small.
        pair.a.sends.at(0).begin(1, Opcode.RDMA_WRITE, INLINE)
            .element(pair.a.address(0), -8, 0)
            .element(pair.a.address(0), 16, 0)
            .remote(pair.b.address(0), pair.b.region.remoteKey());
        assertEquals(Errno.EINVAL, pair.a.sends.post(pair.a.queuePair, 1));
        pair.expectQuiet();
    }

    @Test
    void shouldRefuseInlineReads()
    {
        final Pair pair = pair();
        pair.a.prepare(0, 1, Opcode.RDMA_READ, INLINE, 0, 8, pair.b, 0);
        assertEquals(Errno.EINVAL, pair.a.sends.post(pair.a.queuePair, 1));
        assertEquals(0, pair.a.sends.firstRefused());
        pair.expectQuiet();
    }

    @Test
    void shouldStillBeRefusedByThePeer()
    {
        final Pair pair = pair(new Setup(), new Setup().regionAccess(Access.LOCAL_WRITE));
        pair.a.write(1, 0, 8, pair.b, 0, INLINE);
        pair.sent(pair.a, 1, CompletionStatus.REM_ACCESS_ERR);
    }
}
