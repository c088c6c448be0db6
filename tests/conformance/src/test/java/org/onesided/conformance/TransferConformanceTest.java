package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;

/**
 * SEND, WRITE and READ: what arrives where, and what their completions say.
 */
final class TransferConformanceTest extends Conformance
{
    private static final int MIB = 1 << 20;

    @Test
    void shouldSend()
    {
        final Pair pair = pair();
        pair.b.receive(5, 1024, 256);
        pair.a.fill(0, 100, 1);
        pair.a.send(0x1234_5678_9ABC_DEF0L, 0, 100);
        final Completion received = pair.received(pair.b, 5);
        assertEquals(CompletionOpcode.RECV, received.opcode());
        assertEquals(100, received.byteLength());
        assertFalse(received.hasImmediate());
        assertEquals(pair.b.queuePair.number(), received.queuePair());
        final Completion sent = pair.sent(pair.a, 0x1234_5678_9ABC_DEF0L);
        assertEquals(CompletionOpcode.SEND, sent.opcode());
        assertEquals(pair.a.queuePair.number(), sent.queuePair());
        pair.b.expect(1024, 100, 1);
        pair.b.expectZero(1124, 156);
        pair.expectQuiet();
    }

    @Test
    void shouldSendBothWays()
    {
        final Pair pair = pair();
        pair.a.receive(1, 1024, 64);
        pair.b.receive(2, 1024, 64);
        pair.a.fill(0, 64, 1);
        pair.b.fill(0, 64, 2);
        pair.a.send(3, 0, 64);
        pair.b.send(4, 0, 64);
        pair.received(pair.b, 2);
        pair.received(pair.a, 1);
        pair.sent(pair.a, 3);
        pair.sent(pair.b, 4);
        pair.b.expect(1024, 64, 1);
        pair.a.expect(1024, 64, 2);
    }

    @Test
    void shouldSendWithImmediate()
    {
        final Pair pair = pair();
        pair.b.receive(5, 1024, 64);
        pair.a.fill(0, 10, 1);
        pair.a.sends.at(0).begin(1, Opcode.SEND_WITH_IMM, SendFlags.SIGNALED).immediate(0xCAFE_0102)
            .element(pair.a.address(0), 10, pair.a.region.localKey());
        pair.a.post(1);
        final Completion received = pair.received(pair.b, 5);
        assertEquals(CompletionOpcode.RECV, received.opcode());
        assertTrue(received.hasImmediate());
        assertEquals(0xCAFE_0102, received.immediate());
        assertEquals(10, received.byteLength());
        assertEquals(CompletionOpcode.SEND, pair.sent(pair.a, 1).opcode());
    }

    @Test
    void shouldWriteWithoutTellingThePeer()
    {
        final Pair pair = pair();
        pair.b.receive(5, 2048, 64);
        pair.a.fill(0, 100, 7);
        pair.a.write(1, 0, 100, pair.b, 512);
        final Completion sent = pair.sent(pair.a, 1);
        assertEquals(CompletionOpcode.RDMA_WRITE, sent.opcode());
        pair.b.expectZero(0, 512);
        pair.b.expect(512, 100, 7);
        pair.b.expectZero(612, 64);
        pair.expectQuiet();
    }

    @Test
    void shouldWriteWithImmediate()
    {
        final Pair pair = pair();
        pair.b.receive(5, 2048, 64);
        pair.a.fill(0, 100, 7);
        pair.a.prepare(0, 1, Opcode.RDMA_WRITE_WITH_IMM, SendFlags.SIGNALED, 0, 100, pair.b, 512);
        pair.a.sends.at(0).immediate(-2);
        pair.a.post(1);
        final Completion received = pair.received(pair.b, 5);
        assertEquals(CompletionOpcode.RECV_RDMA_WITH_IMM, received.opcode());
        assertEquals(100, received.byteLength());
        assertTrue(received.hasImmediate());
        assertEquals(-2, received.immediate());
        assertEquals(CompletionOpcode.RDMA_WRITE, pair.sent(pair.a, 1).opcode());
        pair.b.expect(512, 100, 7);
        pair.b.expectZero(2048, 64);
    }

    @Test
    void shouldRead()
    {
        final Pair pair = pair();
        pair.b.fill(512, 100, 9);
        pair.a.read(1, 0, 100, pair.b, 512);
        final Completion sent = pair.sent(pair.a, 1);
        assertEquals(CompletionOpcode.RDMA_READ, sent.opcode());
        assertEquals(100, sent.byteLength());
        assertEquals(pair.a.queuePair.number(), sent.queuePair());
        pair.a.expect(0, 100, 9);
        pair.a.expectZero(100, 64);
        pair.expectQuiet();
    }

    @Test
    void shouldReadAndWriteOddAddressesAndLengths()
    {
        final Pair pair = pair();
        for (int i = 0; i < 70; i++)
        {
            pair.b.fill(1000 + i, i, i);
            pair.a.read(i, 3 * i + 1, i, pair.b, 1000 + i);
            pair.sent(pair.a, i);
            pair.a.expect(3 * i + 1, i, i);
            pair.a.write(100 + i, 3 * i + 1, i, pair.b, 5000 + i);
            pair.sent(pair.a, 100 + i);
            pair.b.expect(5000 + i, i, i);
        }
    }

    @Test
    void shouldGatherAndScatter()
    {
        final Pair pair = pair();
        final int key = pair.a.region.localKey();
        pair.b.receives.at(0).begin(5)
            .element(pair.b.address(1000), 1, pair.b.region.localKey())
            .element(pair.b.address(2000), 0, pair.b.region.localKey())
            .element(pair.b.address(3000), 30, pair.b.region.localKey())
            .element(pair.b.address(4000), 100, pair.b.region.localKey());
        assertEquals(0, pair.b.receives.post(pair.b.queuePair, 1));
        pair.a.fill(0, 60, 2);
        pair.a.sends.at(0).begin(1, Opcode.SEND, SendFlags.SIGNALED)
            .element(pair.a.address(0), 17, key)
            .element(pair.a.address(17), 0, key)
            .element(pair.a.address(17), 3, key)
            .element(pair.a.address(20), 40, key);
        pair.a.post(1);
        assertEquals(60, pair.received(pair.b, 5).byteLength());
        pair.sent(pair.a, 1);
        pair.a.read(2, 8192, 1, pair.b, 1000);
        pair.a.read(3, 8193, 30, pair.b, 3000);
        pair.a.read(4, 8223, 29, pair.b, 4000);
        pair.sent(pair.a, 2);
        pair.sent(pair.a, 3);
        pair.sent(pair.a, 4);
        pair.a.expect(8192, 60, 2);
        pair.b.expectZero(2000, 8);
        pair.b.expectZero(4029, 71);
    }

    @Test
    void shouldScatterReadsAndGatherWrites()
    {
        final Pair pair = pair();
        final int key = pair.a.region.localKey();
        pair.b.fill(0, 90, 3);
        pair.a.sends.at(0).begin(1, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .remote(pair.b.address(0), pair.b.region.remoteKey())
            .element(pair.a.address(100), 50, key)
            .element(pair.a.address(50), 0, key)
            .element(pair.a.address(150), 39, key)
            .element(pair.a.address(189), 1, key);
        pair.a.post(1);
        assertEquals(90, pair.sent(pair.a, 1).byteLength());
        pair.a.expect(100, 90, 3);

        pair.a.sends.at(0).begin(2, Opcode.RDMA_WRITE, SendFlags.SIGNALED)
            .remote(pair.b.address(500), pair.b.region.remoteKey())
            .element(pair.a.address(100), 1, key)
            .element(pair.a.address(101), 80, key)
            .element(pair.a.address(7), 0, key)
            .element(pair.a.address(181), 9, key);
        pair.a.post(1);
        pair.sent(pair.a, 2);
        pair.b.expect(500, 90, 3);
    }

    @Test
    void shouldCarryMessagesOfNoLength()
    {
        final Pair pair = pair();
        pair.b.receives.at(0).begin(1);
        assertEquals(0, pair.b.receives.post(pair.b.queuePair, 1));
        pair.a.sends.at(0).begin(1, Opcode.SEND, SendFlags.SIGNALED);
        // With no bytes to touch the key is not looked at.
        pair.a.sends.at(1).begin(2, Opcode.RDMA_WRITE, SendFlags.SIGNALED).remote(0, 0);
        pair.a.sends.at(2).begin(3, Opcode.RDMA_READ, SendFlags.SIGNALED).remote(0, 0);
        pair.a.post(3);
        for (int i = 1; i <= 3; i++)
        {
            pair.sent(pair.a, i);
        }
        assertEquals(0, pair.received(pair.b, 1).byteLength());
    }

    @Test
    void shouldCarryMessagesOfNoLengthWithImmediate()
    {
        final Pair pair = pair();
        pair.b.receives.at(0).begin(2).element(pair.b.address(0), 64, pair.b.region.localKey());
        assertEquals(0, pair.b.receives.post(pair.b.queuePair, 1));
        pair.a.sends.at(0).begin(2, Opcode.SEND_WITH_IMM, SendFlags.SIGNALED).immediate(9);
        pair.a.post(1);
        pair.sent(pair.a, 2);
        final Completion received = pair.received(pair.b, 2);
        assertEquals(0, received.byteLength());
        assertEquals(9, received.immediate());
    }

    @Test
    void shouldCarryLargeMessages()
    {
        final Setup large = new Setup().memory(16L * MIB);
        final Pair pair = pair(large, large);
        final long limit = pair.a.context.queryPort(1).maxMessageLength();
        for (final int length : new int[] {MIB, 8 * MIB})
        {
            assumeTrue(length <= limit, "longer than the device's messages: limit=" + limit);
            final int seed = length >>> 20;
            pair.a.fill(0, length, seed);
            pair.b.receive(length, 8 * MIB, 8 * MIB);
            pair.a.send(length, 0, length);
            assertEquals(length, pair.received(pair.b, length).byteLength());
            pair.sent(pair.a, length);
            pair.b.expect(8 * MIB, length, seed);
            pair.a.read(1, 8 * MIB, length, pair.b, 8 * MIB);
            assertEquals(length, pair.sent(pair.a, 1).byteLength());
            pair.a.expect(8 * MIB, length, seed);
            pair.a.write(2, 8 * MIB, length, pair.b, 0);
            pair.sent(pair.a, 2);
            pair.b.expect(0, length, seed);
        }
    }

    @Test
    void shouldSendManyMessagesInOrder()
    {
        final Pair pair = pair();
        final int window = 8;
        int posted = 0;
        int arrived = 0;
        for (int i = 0; i < window; i++)
        {
            pair.b.receive(i, 1024 + i * 256, 256);
        }
        while (arrived < 5000)
        {
            while (posted < 5000 && posted - arrived < window)
            {
                pair.a.word((posted % window) * 64, posted);
                pair.a.send(posted, (posted % window) * 64, 8 + posted % 57);
                posted++;
            }
            final Completion received = pair.received(pair.b, arrived);
            assertEquals(8 + arrived % 57, received.byteLength());
            final int slot = 1024 + (arrived % window) * 256;
            assertEquals(arrived, pair.b.word(slot));
            pair.b.receive(arrived + window, slot, 256);
            pair.sent(pair.a, arrived);
            arrived++;
        }
    }

    @Test
    void shouldWriteBeforeTheSendBehindIt()
    {
        final Pair pair = pair();
        for (int i = 1; i <= 1000; i++)
        {
            pair.b.receive(i, 0, 8);
            pair.a.word(0, i);
            pair.a.prepare(0, i, Opcode.RDMA_WRITE, 0, 0, 8, pair.b, 1024);
            pair.a.sends.at(1).begin(i, Opcode.SEND, SendFlags.SIGNALED);
            pair.a.post(2);
            pair.received(pair.b, i);
            assertEquals(i, pair.b.word(1024));
            pair.sent(pair.a, i);
        }
    }

    @Test
    void shouldReadWhatWasWrittenBefore()
    {
        final Pair pair = pair();
        for (int i = 1; i <= 1000; i++)
        {
            pair.a.word(0, i);
            pair.a.prepare(0, i, Opcode.RDMA_WRITE, 0, 0, 8, pair.b, 1024);
            pair.a.prepare(1, i, Opcode.RDMA_READ, SendFlags.SIGNALED, 64, 8, pair.b, 1024);
            pair.a.post(2);
            pair.sent(pair.a, i);
            assertEquals(i, pair.a.word(64));
        }
    }

    @Test
    void shouldFenceBehindReads()
    {
        final Setup large = new Setup().memory(2L * MIB);
        final Pair pair = pair(large, large);
        for (int i = 0; i < 20; i++)
        {
            pair.b.fill(0, MIB, i);
            pair.b.receive(i, MIB, MIB);
            pair.a.prepare(0, 1, Opcode.RDMA_READ, 0, 0, MIB, pair.b, 0);
            pair.a.sends.at(1).begin(i, Opcode.SEND, SendFlags.SIGNALED | SendFlags.FENCE)
                .element(pair.a.address(0), MIB, pair.a.region.localKey());
            pair.a.post(2);
            pair.received(pair.b, i);
            pair.sent(pair.a, i);
            pair.b.expect(MIB, MIB, i);
        }
    }

    @Test
    void shouldReadWhatWasSentBefore()
    {
        final Pair pair = pair();
        for (int i = 1; i <= 100; i++)
        {
            pair.b.receive(i, 1024, 8);
            pair.a.word(0, i);
            pair.a.sends.at(0).begin(i, Opcode.SEND, 0).element(pair.a.address(0), 8, pair.a.region.localKey());
            pair.a.prepare(1, i, Opcode.RDMA_READ, SendFlags.SIGNALED, 64, 8, pair.b, 1024);
            pair.a.post(2);
            pair.sent(pair.a, i);
            pair.received(pair.b, i);
            assertEquals(i, pair.a.word(64));
        }
    }

    @Test
    void shouldCarryAllToAnUntrustedPeer()
    {
        final Setup large = new Setup().memory(2L * MIB);
        carryAll(pair(new Setup().memory(2L * MIB).untrustedPeer(), large));
    }

    @Test
    void shouldCarryAllFromAnUntrustedPeer()
    {
        final Setup large = new Setup().memory(2L * MIB);
        carryAll(pair(large, new Setup().memory(2L * MIB).untrustedPeer()));
    }

    @Test
    void shouldCarryAllBetweenSidesThatDistrustEachOther()
    {
        final Setup large = new Setup().memory(2L * MIB).untrustedPeer();
        carryAll(pair(large, large));
    }

    @Tag("full")
    @Test
    void shouldCarryLargeMessagesOneBehindTheOther()
    {
        final Setup large = new Setup().memory(16L * MIB).rnr(7, 12);
        final Pair pair = pair(large, large);
        for (int i = 0; i < 8; i++)
        {
            pair.a.fill((long)i * MIB, MIB, i);
            pair.a.send(i, (long)i * MIB, MIB - i);
        }
        for (int i = 0; i < 8; i++)
        {
            pair.b.receive(i, (long)i * MIB, MIB);
            assertEquals(MIB - i, pair.received(pair.b, i).byteLength());
            pair.sent(pair.a, i);
            pair.b.expect((long)i * MIB, MIB - i, i);
        }
        pair.expectQuiet();
    }

    @Test
    void shouldHoldBackReadsBeyondTheDepth()
    {
        final Pair pair = unconnected(new Setup(), new Setup());
        final Endpoint a = shallow(pair.a.endpoint(pair.a.queuePair));
        final Endpoint b = shallow(pair.b.endpoint(pair.b.queuePair));
        ReliableConnection.initialise(pair.a.queuePair, pair.a.connection);
        ReliableConnection.initialise(pair.b.queuePair, pair.b.connection);
        ReliableConnection.connect(pair.a.queuePair, a, b, pair.a.connection);
        ReliableConnection.connect(pair.b.queuePair, b, a, pair.b.connection);
        assertEquals(1, pair.a.queuePair.query().maxReadAtomic());
        pair.b.fill(0, 4096, 5);
        for (int i = 0; i < 16; i++)
        {
            pair.a.prepare(i, i, Opcode.RDMA_READ, SendFlags.SIGNALED, 256 * i, 256, pair.b, 256 * i);
        }
        pair.a.post(16);
        for (int i = 0; i < 16; i++)
        {
            pair.sent(pair.a, i);
        }
        pair.a.expect(0, 4096, 5);
    }

    @Test
    void shouldConnectTwoQueuePairsOfOneContext()
    {
        final Side side = sideThatListens(new Setup());
        final QueuePair other = side.newQueuePair();
        Pair.connect(side, side.queuePair, side, other);
        side.fill(0, 64, 1);
        side.receive(other, 5, 1024, 64);
        side.send(1, 0, 64);
        side.read(2, 2048, 64, side, 0);
        final long end = System.nanoTime() + HangGuard.nanos(20);
        while (side.sent.size() < 2 || side.received.isEmpty())
        {
            assertTrue(System.nanoTime() - end < 0, "waited in vain");
            side.poll();
        }
        assertEquals(other.number(), side.received.remove().queuePair());
        assertEquals(side.queuePair.number(), side.sent.remove().queuePair());
        assertTrue(side.sent.remove().isSuccess());
        side.expect(1024, 64, 1);
        side.expect(2048, 64, 1);
    }

    private static void carryAll(final Pair pair)
    {
        for (final int length : new int[] {1, 64, 4096, MIB})
        {
            pair.a.fill(0, length, length);
            pair.b.receive(1, MIB, length);
            pair.a.send(2, 0, length);
            pair.received(pair.b, 1);
            pair.sent(pair.a, 2);
            pair.b.expect(MIB, length, length);
            pair.a.read(3, MIB, length, pair.b, MIB);
            pair.sent(pair.a, 3);
            pair.a.expect(MIB, length, length);
            pair.a.write(4, MIB, length, pair.b, 0);
            pair.sent(pair.a, 4);
            pair.b.expect(0, length, length);
        }
        pair.b.region.close();
        pair.a.read(5, 0, 8, pair.b, 0);
        pair.sent(pair.a, 5, CompletionStatus.REM_ACCESS_ERR);
    }

    private static Endpoint shallow(final Endpoint e)
    {
        return new Endpoint(e.queuePairNumber(), e.lid(), e.gid(), e.psn(), e.mtu(), 1, 1, e.deviceBytes());
    }
}
