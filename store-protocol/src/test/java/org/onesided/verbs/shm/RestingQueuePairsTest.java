package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.soft.SoftCompletionQueue;

/**
 * A server with one completion queue for more queue pairs than it looks at: the others rest, and miss nothing.
 */
@Timeout(300)
class RestingQueuePairsTest
{
    private static final int PAIRS = 80;
    /** As many as a poll looks at at most when nothing happens. */
    private static final int WATCHED = 8;
    private static final int LENGTH = 64;

    private final Node server = Node.untrusting();
    private final Node client = new Node();
    private final List<QueuePair> ofServer = new ArrayList<>();
    private final List<QueuePair> ofClient = new ArrayList<>();

    @BeforeEach
    void connect()
    {
        Node.connect(client, server);
        for (int i = 0; i < PAIRS; i++)
        {
            ofServer.add(create(server, true));
            ofClient.add(create(client, false));
            connect(i);
            assertEquals(0, receive(i));
        }
        // None has sent anything.
        awaitRest();
        for (int i = 0; i < PAIRS; i++)
        {
            send(i);
            takeMessageOf(i);
            assertEquals(0, receive(i));
        }
        awaitRest();
    }

    @AfterEach
    void close()
    {
        ofServer.forEach(QueuePair::close);
        ofClient.forEach(QueuePair::close);
        client.close();
        server.close();
    }

    @Test
    void shouldReceiveFromEachThatRests()
    {
        for (int round = 0; round < 3; round++)
        {
            for (int i = PAIRS - 1; i >= 0; i--)
            {
                send(i);
                takeMessageOf(i);
                assertEquals(0, receive(i));
            }
        }
        for (int i = 0; i < PAIRS; i++)
        {
            send(i);
        }
        for (int taken = 0; taken < PAIRS;)
        {
            taken += server.awaitCompletions(1);
        }
        awaitRest();
    }

    @Test
    void shouldWakeASleeperForOneThatRests() throws Exception
    {
        final ExecutorService executor = Executors.newSingleThreadExecutor();
        try
        {
            for (int i = 0; i < PAIRS; i++)
            {
                awaitRest();
                final boolean solicitedOnly = i % 2 == 1;
                assertEquals(0, server.completions.requestNotify(solicitedOnly));
                assertEquals(0, server.polled.poll(server.completions));
                final Future<CompletionQueue> event =
                    executor.submit(() -> server.channel.awaitEvent(TimeUnit.SECONDS.toNanos(60)));
                send(i, solicitedOnly ? SendFlags.SIGNALED | SendFlags.SOLICITED : SendFlags.SIGNALED);

                assertNotNull(event.get(20, TimeUnit.SECONDS), "pair " + i);
                server.completions.acknowledgeEvents(1);
                takeMessageOf(i);
                assertEquals(0, receive(i));
            }
        }
        finally
        {
            executor.shutdownNow();
            assertTrue(executor.awaitTermination(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void shouldGoOnWithARequestThatWaitsAtOneThatRests()
    {
        final int pair = PAIRS - 1;
        server.sends.at(0).begin(5, Opcode.SEND, SendFlags.SIGNALED)
            .element(server.address(0), LENGTH, server.region.localKey());
        assertEquals(0, server.sends.post(ofServer.get(pair), 1));
        assertEquals(0, server.polled.poll(server.completions));

        client.receives.at(0).begin(6).element(client.address(0), LENGTH, client.region.localKey());
        assertEquals(0, client.receives.post(ofClient.get(pair), 1));

        assertEquals(CompletionStatus.SUCCESS, server.awaitStatus());
        assertEquals(5, server.polled.id(0));
        assertEquals(CompletionStatus.SUCCESS, client.awaitStatus());
        awaitRest();
    }

    @Test
    void shouldNoticeAFaultOfThePeerOfOneThatRests()
    {
        final int pair = PAIRS - 1;
        client.sends.at(0).begin(1, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(client.address(0), LENGTH, client.region.localKey())
            .remote(server.address(0), server.region.remoteKey() + 1);
        assertEquals(0, client.sends.post(ofClient.get(pair), 1));
        assertEquals(CompletionStatus.REM_ACCESS_ERR, client.awaitStatus());

        assertEquals(CompletionStatus.WR_FLUSH_ERR, server.awaitStatus());
        assertEquals(pair, server.polled.id(0));
        assertEquals(QueuePairState.ERR, ofServer.get(pair).state());
    }

    @Test
    void shouldConnectOneThatRestsAgain()
    {
        final int pair = PAIRS - 1;
        for (final QueuePair side : List.of(ofServer.get(pair), ofClient.get(pair)))
        {
            side.modify(new QueuePairAttributes().state(QueuePairState.RESET), AttributeMask.STATE);
        }
        connect(pair);
        assertEquals(0, receive(pair));
        send(pair);
        takeMessageOf(pair);
        awaitRest();
    }

    @Test
    void shouldGiveTheMarkOfAClosedOneToAnother()
    {
        for (int i = 0; i < PAIRS; i++)
        {
            ofServer.get(i).close();
            ofClient.get(i).close();
            ofServer.set(i, create(server, true));
            ofClient.set(i, create(client, false));
            connect(i);
            assertEquals(0, receive(i));
            send(i);
            takeMessageOf(i);
        }
        awaitRest();
    }

    private static QueuePair create(final Node node, final boolean isUntrusting)
    {
        return node.domain.createQueuePair(new QueuePairInitAttributes(
            node.completions, node.completions, null, 4, 4, 1, 1, 0, false, isUntrusting));
    }

    private void connect(final int pair)
    {
        final QueuePair one = ofServer.get(pair);
        final QueuePair other = ofClient.get(pair);
        final Endpoint oneEnd = ReliableConnection.local(server.context, one, Node.options());
        final Endpoint otherEnd = ReliableConnection.local(client.context, other, Node.options());
        ReliableConnection.initialise(one, Node.options());
        ReliableConnection.initialise(other, Node.options());
        ReliableConnection.connect(one, oneEnd, otherEnd, Node.options());
        ReliableConnection.connect(other, otherEnd, oneEnd, Node.options());
    }

    private int receive(final int pair)
    {
        server.receives.at(0).begin(pair).element(server.address(0), LENGTH, server.region.localKey());
        return server.receives.post(ofServer.get(pair), 1);
    }

    private void send(final int pair)
    {
        send(pair, SendFlags.SIGNALED);
    }

    private void send(final int pair, final int flags)
    {
        client.sends.at(0).begin(pair, Opcode.SEND, flags)
            .element(client.address(0), LENGTH, client.region.localKey());
        assertEquals(0, client.sends.post(ofClient.get(pair), 1));
        assertEquals(CompletionStatus.SUCCESS, client.awaitStatus());
    }

    private void takeMessageOf(final int pair)
    {
        assertEquals(CompletionStatus.SUCCESS, server.awaitStatus());
        assertEquals(pair, server.polled.id(0));
        assertEquals(CompletionOpcode.RECV, server.polled.opcode(0));
    }

    private void awaitRest()
    {
        Node.await(() ->
        {
            assertEquals(0, server.polled.poll(server.completions));
            return ((SoftCompletionQueue)server.completions).watchedCount() <= WATCHED;
        });
    }
}
