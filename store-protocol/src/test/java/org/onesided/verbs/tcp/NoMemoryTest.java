package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;

/**
 * What becomes of queue pairs whose device has no memory left to send or receive with.
 */
@Timeout(120)
class NoMemoryTest
{
    private static final int AMPLE = 16;
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(4);

    @Test
    void shouldNotTakeAReadForUnderWayThatItHadNoMemoryToAskFor()
    {
        try (TcpSide server = TcpSide.listening(AMPLE); TcpSide client = TcpSide.connecting(2))
        {
            client.connect(server);
            client.read(1, server);
            assertEquals(CompletionStatus.SUCCESS, client.next(1));
            final CountDownLatch held = server.hold();
            client.read(2, server);
            client.exhaust();
            client.read(3, server);
            client.replenish();
            held.countDown();
            assertEquals(CompletionStatus.SUCCESS, client.next(2));
            assertEquals(CompletionStatus.SUCCESS, client.next(3));
            assertNull(client.queuePair.failureReason());
            assertEquals(0, client.fault("no_memory"));
        }
    }

    @Test
    void shouldTellOfTheRequestThatCannotBeSent()
    {
        try (TcpSide server = TcpSide.listening(AMPLE); TcpSide client = TcpSide.connecting(2))
        {
            client.connect(server);
            client.read(1, server);
            assertEquals(CompletionStatus.SUCCESS, client.next(1));
            client.exhaust();
            client.read(2, server);
            client.replenish();
            assertEquals(CompletionStatus.LOC_QP_OP_ERR, client.next(2));
            assertNoMemory(client);
        }
    }

    @Test
    void shouldTellThatItCannotBegin()
    {
        try (TcpSide server = TcpSide.listening(AMPLE); TcpSide client = TcpSide.connecting(1))
        {
            client.exhaust();
            client.begin(server);
            client.read(1, server);
            assertEquals(CompletionStatus.RETRY_EXC_ERR, client.next(1));
            assertNoMemory(client);
        }
    }

    @Test
    void shouldTellThatItCannotReceive()
    {
        try (TcpSide server = TcpSide.listening(1); TcpSide client = TcpSide.connecting(AMPLE))
        {
            client.connect(server);
            server.exhaust();
            client.read(1, server);
            assertEquals(CompletionStatus.RETRY_EXC_ERR, client.next(1));
            assertEquals(AsyncEvent.Type.QP_FATAL, server.event().type());
            assertNoMemory(server);
        }
    }

    @Test
    void shouldTellWhatThePeerDidThoughItCannotTellThePeer()
    {
        // What it receives with is all it has.
        try (TcpSide server = TcpSide.listening(1); TcpSide client = TcpSide.connecting(AMPLE))
        {
            client.connect(server);
            client.post(1, Opcode.RDMA_WRITE, 8, server.region.remoteKey() ^ 1, server.address());
            assertEquals(CompletionStatus.RETRY_EXC_ERR, client.next(1));
            final AsyncEvent event = server.event();
            assertEquals(AsyncEvent.Type.QP_ACCESS_ERR, event.type());
            assertTrue(event.reason().startsWith("key to be written to is none: peer="), event.reason());
            assertEquals(event.reason(), server.queuePair.failureReason());
            assertEquals(1, server.fault("write_key"));
            assertEquals(0, server.fault("no_memory"));
        }
    }

    @Test
    void shouldTellThatItCannotAskThePeerForASign()
    {
        try (TcpSide server = TcpSide.listening(AMPLE); TcpSide client = TcpSide.connecting(2))
        {
            client.connect(server);
            client.post(1, Opcode.SEND, 8, 0, 0);
            assertEquals(CompletionStatus.SUCCESS, client.next(1));
            client.exhaust();
            final QueuePair queuePair = client.queuePair;
            final Connection connection = client.transport.connection();
            // As often as it takes: the first only sees that something was sent.
            for (int i = 0; i < 3 && queuePair.failureReason() == null; i++)
            {
                client.transport.service().watch(connection, ANSWER_NS / 3);
            }
            client.replenish();
            assertNoMemory(client);
        }
    }

    @Test
    void shouldEndAQueuePairOnceWhoseCompletionQueueOverflows()
    {
        try (TcpSide server = TcpSide.listening(2); TcpSide client = TcpSide.connecting(AMPLE))
        {
            client.connect(server);
            final int room = server.completionQueueLength();
            for (int i = 0; i <= room; i++)
            {
                client.post(i, Opcode.SEND, i < room ? 8 : 16, 0, 0);
                assertEquals(CompletionStatus.SUCCESS, client.next(i));
            }
            // Its answer is behind the messages.
            client.read(room + 1, server);
            assertEquals(CompletionStatus.SUCCESS, client.next(room + 1));
            server.receive(room + 1, 8);
            server.awaitConnectionEnd();
            assertEquals(0, server.fault("too_long"));
            // All memory is back.
            server.exhaust(2);
            server.replenish();
        }
    }

    private static void assertNoMemory(final TcpSide side)
    {
        final String reason = side.queuePair.failureReason();
        assertNotNull(reason);
        assertTrue(reason.matches("post_send: ENOMEM: no memory to send or receive with, .+ buffers=[0-9]+ " +
            "length=[0-9]+ peer=127\\.0\\.0\\.1:[0-9]+"), reason);
        assertEquals(1, side.fault("no_memory"));
    }
}
