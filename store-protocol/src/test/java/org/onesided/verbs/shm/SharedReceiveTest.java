package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;

@Timeout(300)
class SharedReceiveTest
{
    private static final int CAPACITY = 8;

    private final Node server = new Node(1 << 20, false, CAPACITY);
    private final Node one = new Node();
    private final Node two = new Node();
    private final QueuePair second = server.domain.createQueuePair(new QueuePairInitAttributes(
        server.completions, server.completions, server.shared, 8, 0, 1, 1, 0, false, false));

    @AfterEach
    void tearDown()
    {
        second.close();
        one.close();
        two.close();
        server.close();
    }

    @Test
    void shouldServeSeveralSendersInTurnsForLong()
    {
        connect();
        for (int i = 0; i < CAPACITY; i++)
        {
            assertEquals(0, server.receive(i, i * 1024, 1024));
        }
        assertEquals(Errno.ENOMEM, server.receive(99, 0, 1024));
        for (int i = 0; i < 10_000; i++)
        {
            final Node sender = i % 3 == 0 ? two : one;
            sender.fill(0, 64, i);
            assertEquals(0, sender.send(i, 0, 64));
            assertEquals(CompletionStatus.SUCCESS, sender.awaitStatus());
            assertEquals(CompletionStatus.SUCCESS, server.awaitStatus());
            assertEquals(i % 3 == 0 ? second.number() : server.queuePair.number(), server.polled.queuePair(0));
            final long id = server.polled.id(0);
            assertTrue(server.holds(id * 1024, 64, i));
            assertEquals(0, server.receive(id, id * 1024, 1024));
        }
    }

    @Test
    void shouldGiveEachReceiveToOneSenderAndRefuseTheRest()
    {
        connect();
        for (int i = 0; i < CAPACITY; i++)
        {
            server.receive(i, i * 1024, 1024);
        }
        for (int i = 0; i < CAPACITY / 2; i++)
        {
            one.send(i, 0, 8);
            two.send(i, 0, 8);
        }
        final Set<Long> ids = new HashSet<>();
        assertEquals(CAPACITY, server.awaitCompletions(CAPACITY));
        for (int i = 0; i < CAPACITY; i++)
        {
            ids.add(server.polled.id(i));
        }
        assertEquals(CAPACITY, ids.size());
        assertEquals(CAPACITY / 2, one.awaitCompletions(CAPACITY / 2));
        one.send(99, 0, 8);
        assertEquals(CompletionStatus.RNR_RETRY_EXC_ERR, one.awaitStatus());
    }

    @Test
    void shouldTakeBackWhatASenderClaimedAndNeverUsed()
    {
        connect();
        for (int i = 0; i < CAPACITY; i++)
        {
            server.receive(i, i * 1024, 1024);
        }
        // As a sender does that dies between claiming and sending.
        final PeerContext self = PeerContext.open(server.context.queryGid(1, 0), Posix.userId(), SharedMapping::close);
        final int number = ((ShmSharedReceiveQueue)server.shared).number();
        final PeerSharedQueue claims = PeerSharedQueue.open(self, number, CAPACITY, second.number());
        for (int i = 0; i < CAPACITY; i++)
        {
            assertTrue(claims.claim() >= 0);
        }
        assertEquals(-1, claims.claim());
        claims.close();
        self.close();
        second.close();
        for (int i = 0; i < CAPACITY; i++)
        {
            one.send(i, 0, 8);
            assertEquals(CompletionStatus.SUCCESS, one.awaitStatus());
            assertEquals(CompletionStatus.SUCCESS, server.awaitStatus());
        }
    }

    @Test
    void shouldTakeBackWhatWasClaimedForAQueuePairThatHadEnded()
    {
        connect();
        for (int i = 0; i < CAPACITY; i++)
        {
            server.receive(i, i * 1024, 1024);
        }
        final int ended = second.number();
        second.close();
        final PeerContext self = PeerContext.open(server.context.queryGid(1, 0), Posix.userId(), SharedMapping::close);
        final int number = ((ShmSharedReceiveQueue)server.shared).number();
        final PeerSharedQueue claims = PeerSharedQueue.open(self, number, CAPACITY, ended);
        assertTrue(claims.claim() >= 0);
        // The next queue pair that ends finds it.
        one.queuePair.close();
        server.queuePair.close();
        for (int i = 0; i < CAPACITY; i++)
        {
            assertTrue(claims.claim() >= 0);
        }
        claims.close();
        self.close();
    }

    @Test
    void shouldNotOfferItToAnUntrustedPeer()
    {
        final VerbsException refused = assertThrows(
            VerbsException.class,
            () -> server.domain.createQueuePair(new QueuePairInitAttributes(
                server.completions, server.completions, server.shared, 8, 0, 1, 1, 0, false, true)));
        assertEquals(Errno.EOPNOTSUPP, refused.errno());
    }

    private void connect()
    {
        Node.connect(one, server);
        final var options = Node.options();
        final var ofTwo = two.endpoint();
        final var ofServer = ReliableConnection.local(server.context, second, options);
        ReliableConnection.initialise(two.queuePair, options);
        ReliableConnection.initialise(second, options);
        ReliableConnection.connect(two.queuePair, ofTwo, ofServer, options);
        ReliableConnection.connect(second, ofServer, ofTwo, options);
    }
}
