package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;

/**
 * When work requests are taken and when refused: by state, by room, by what they are themselves.
 */
final class PostingConformanceTest extends Conformance
{
    @Test
    void shouldRefuseSendsBeforeRts()
    {
        final Pair pair = unconnected(new Setup(), new Setup());
        for (final QueuePairState state : List.of(QueuePairState.RESET, QueuePairState.INIT, QueuePairState.RTR))
        {
            Attributes.bring(pair, state);
            pair.a.prepare(0, 1, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 0, 8, pair.b, 0);
            pair.a.prepare(1, 2, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 0, 8, pair.b, 0);
            assertEquals(Errno.EINVAL, pair.a.sends.post(pair.a.queuePair, 2), state.toString());
            assertEquals(0, pair.a.sends.firstRefused(), state.toString());
        }
        pair.expectQuiet();
    }

    @Test
    void shouldRefuseReceivesInResetOnly()
    {
        final Pair pair = unconnected(new Setup(), new Setup());
        for (final QueuePairState state : Transition.STATES)
        {
            Attributes.bring(pair, state);
            pair.a.receives.at(0).begin(7).element(pair.a.address(0), 64, pair.a.region.localKey());
            final int expected = state == QueuePairState.RESET ? Errno.EINVAL : 0;
            assertEquals(expected, pair.a.receives.post(pair.a.queuePair, 1), state.toString());
            if (expected != 0)
            {
                assertEquals(0, pair.a.receives.firstRefused());
            }
        }
        pair.received(pair.a, 7, CompletionStatus.WR_FLUSH_ERR);
    }

    @Test
    void shouldTakeAndFlushWhatIsPostedInErr()
    {
        final Pair pair = pair();
        ReliableConnection.fail(pair.a.queuePair);
        for (int i = 0; i < 3; i++)
        {
            pair.a.prepare(i, i, Opcode.RDMA_WRITE, 0, 0, 8, pair.b, 0);
        }
        pair.a.post(3);
        pair.a.receive(10, 0, 64);
        pair.a.receive(11, 0, 64);

        for (int i = 0; i < 3; i++)
        {
            pair.sent(pair.a, i, CompletionStatus.WR_FLUSH_ERR);
        }
        pair.received(pair.a, 10, CompletionStatus.WR_FLUSH_ERR);
        pair.received(pair.a, 11, CompletionStatus.WR_FLUSH_ERR);
        pair.expectQuiet();
    }

    @Test
    void shouldRefuseSendsWhenTheQueueIsFull()
    {
        final Pair pair = pair();
        final int room = pair.a.queuePair.initAttributes().maxSends();
        for (int i = 0; i < room; i++)
        {
            pair.a.write(i, 0, 8, pair.b, 0);
        }
        pair.a.prepare(0, room, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        assertEquals(Errno.ENOMEM, pair.a.sends.post(pair.a.queuePair, 1));
        assertEquals(0, pair.a.sends.firstRefused());
        for (int i = 0; i < room; i++)
        {
            pair.sent(pair.a, i);
        }
        pair.expectQuiet();
    }

    @Test
    void shouldTakeOnlyAsMuchOfAChainAsThereIsRoomFor()
    {
        final Pair pair = pair();
        final int room = pair.a.queuePair.initAttributes().maxSends();
        for (int i = 0; i < room - 2; i++)
        {
            pair.a.write(i, 0, 8, pair.b, 0);
        }
        for (int i = 0; i < 5; i++)
        {
            pair.a.prepare(i, 100 + i, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        }
        assertEquals(Errno.ENOMEM, pair.a.sends.post(pair.a.queuePair, 5));
        assertEquals(2, pair.a.sends.firstRefused());
        for (int i = 0; i < room - 2; i++)
        {
            pair.sent(pair.a, i);
        }
        pair.sent(pair.a, 100);
        pair.sent(pair.a, 101);
        pair.expectQuiet();
    }

    @Test
    void shouldRefuseReceivesWhenTheQueueIsFull()
    {
        final Pair pair = pair();
        final int room = pair.b.queuePair.initAttributes().maxReceives();
        for (int i = 0; i < room - 1; i++)
        {
            pair.b.receive(i, 0, 64);
        }
        for (int i = 0; i < 3; i++)
        {
            pair.b.receives.at(i).begin(100 + i).element(pair.b.address(0), 64, pair.b.region.localKey());
        }
        assertEquals(Errno.ENOMEM, pair.b.receives.post(pair.b.queuePair, 3));
        assertEquals(1, pair.b.receives.firstRefused());

        pair.a.send(1, 0, 8);
        pair.received(pair.b, 0);
        pair.b.receive(200, 0, 64);
        assertEquals(Errno.ENOMEM, pair.b.receives.post(pair.b.queuePair, 1));
    }

    @Test
    void shouldKeepTheRequestsBeforeTheRefusedOne()
    {
        final Pair pair = pair();
        pair.a.fill(0, 64, 1);
        pair.a.prepare(0, 1, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 0, 8, pair.b, 0);
        pair.a.prepare(1, 2, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 8, 8, pair.b, 8);
        pair.a.prepare(2, 3, 99, SendFlags.SIGNALED, 16, 8, pair.b, 16);
        pair.a.prepare(3, 4, Opcode.RDMA_WRITE, SendFlags.SIGNALED, 24, 8, pair.b, 24);
        assertEquals(Errno.EINVAL, pair.a.sends.post(pair.a.queuePair, 4));
        assertEquals(2, pair.a.sends.firstRefused());
        pair.sent(pair.a, 1);
        pair.sent(pair.a, 2);
        pair.expectQuiet();
        pair.b.expect(0, 16, 1);
        pair.b.expectZero(16, 48);
        assertEquals(QueuePairState.RTS, pair.a.queuePair.state());
    }

    @Test
    void shouldRefuseTooManyElements()
    {
        final Pair pair = pair();
        final int limit = pair.a.queuePair.initAttributes().maxSendElements();
        pair.a.sends.at(0).begin(1, Opcode.RDMA_WRITE, SendFlags.SIGNALED)
            .remote(pair.b.address(0), pair.b.region.remoteKey());
        for (int i = 0; i <= limit; i++)
        {
            pair.a.sends.at(0).element(pair.a.address(0), 1, pair.a.region.localKey());
        }
        assertEquals(Errno.EINVAL, pair.a.sends.post(pair.a.queuePair, 1));
        assertEquals(0, pair.a.sends.firstRefused());

        final int receiveLimit = pair.a.queuePair.initAttributes().maxReceiveElements();
        pair.a.receives.at(0).begin(1);
        for (int i = 0; i <= receiveLimit; i++)
        {
            pair.a.receives.at(0).element(pair.a.address(0), 1, pair.a.region.localKey());
        }
        assertEquals(Errno.EINVAL, pair.a.receives.post(pair.a.queuePair, 1));
        assertEquals(0, pair.a.receives.firstRefused());
        pair.expectQuiet();
    }

    @Test
    void shouldForgetAllRequestsOnReset()
    {
        final Pair pair = pair();
        final int room = pair.a.queuePair.initAttributes().maxReceives();
        for (int i = 0; i < room; i++)
        {
            pair.a.receive(i, 0, 64);
        }
        Attributes.reset(pair.a.queuePair);
        pair.expectQuiet();

        Attributes.reset(pair.b.queuePair);
        pair.connect();
        for (int i = 0; i < room; i++)
        {
            pair.a.receive(100 + i, 0, 64);
        }
        pair.b.send(1, 0, 8);
        pair.received(pair.a, 100);
        pair.sent(pair.b, 1);
    }

    @Test
    void shouldServeAgainAfterReset()
    {
        final Pair pair = pair();
        for (int round = 0; round < 5; round++)
        {
            pair.b.receive(round, 1024, 64);
            pair.a.fill(0, 64, round);
            pair.a.send(round, 0, 64);
            pair.received(pair.b, round);
            pair.sent(pair.a, round);
            pair.b.expect(1024, 64, round);
            pair.a.read(50 + round, 2048, 64, pair.b, 1024);
            pair.sent(pair.a, 50 + round);
            pair.a.expect(2048, 64, round);
            if ((round & 1) == 0)
            {
                ReliableConnection.fail(pair.a.queuePair);
            }
            Attributes.reset(pair.a.queuePair);
            Attributes.reset(pair.b.queuePair);
            pair.connect();
        }
        pair.expectQuiet();
    }

    @Test
    void shouldReceiveFromRtrOn()
    {
        final Pair pair = unconnected(new Setup(), new Setup());
        Attributes.bring(pair, QueuePairState.RTR);
        final QueuePair sender = pair.b.queuePair;
        // Now a is in RTR and b, its peer, in INIT: b becomes the sender.
        final var endpointA = pair.a.endpoint(pair.a.queuePair);
        final var endpointB = pair.b.endpoint(sender);
        ReliableConnection.connect(sender, endpointB, endpointA, pair.b.connection);
        pair.a.receive(1, 0, 64);
        pair.b.fill(0, 64, 3);
        pair.b.send(1, 0, 64);
        pair.sent(pair.b, 1);
        pair.received(pair.a, 1);
        pair.a.expect(0, 64, 3);
        pair.b.read(2, 128, 64, pair.a, 0);
        pair.sent(pair.b, 2);
        pair.b.expect(128, 64, 3);
        assertEquals(QueuePairState.RTR, pair.a.queuePair.state());
    }

    @Test
    void shouldBeToldApartByAddressAndNumber()
    {
        final Pair pair = unconnected(new Setup(), new Setup());
        final Set<String> names = new HashSet<>();
        for (final Side side : List.of(pair.a, pair.b))
        {
            for (final QueuePair queuePair : List.of(side.queuePair, side.newQueuePair(), side.newQueuePair()))
            {
                final Endpoint endpoint = side.endpoint(queuePair);
                assertTrue(queuePair.number() > 0, "number=" + queuePair.number());
                final String name = endpoint.lid() + " " + endpoint.gid() + " " + queuePair.number();
                assertTrue(names.add(name), "twice: " + name);
            }
        }
    }
}
