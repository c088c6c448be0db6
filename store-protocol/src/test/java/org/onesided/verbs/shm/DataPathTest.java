package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;

@Timeout(300)
class DataPathTest
{
    private final Node client = new Node();
    private Node server = new Node();

    @AfterEach
    void tearDown() throws Exception
    {
        final Path directory = ContextPaths.pathOf(Posix.userId(), client.context.queryGid(1, 0));
        assertTrue(Files.exists(directory));
        client.close();
        server.close();
        try (Stream<Path> files = Files.list(directory.getParent()))
        {
            assertTrue(files.noneMatch(directory::equals));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCarryReadsWritesAndSends(final boolean untrustedPeer)
    {
        if (untrustedPeer)
        {
            server.close();
            server = Node.untrusting();
        }
        Node.connect(client, server);
        exchange(client, server);
        exchange(server, client);
    }

    @Test
    void shouldLetGoOfADestroyedQueuePairWhoseCompletionsWerePolled() throws InterruptedException
    {
        final WeakReference<QueuePair> destroyed = new WeakReference<>(flushedAndDestroyed(client));
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (destroyed.get() != null)
        {
            assertTrue(System.nanoTime() - endNs < 0, "still reachable");
            System.gc();
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Test
    void shouldCarryAMessageLongerThanTheRing()
    {
        Node.connect(client, server);
        client.fill(0, 500_000, 3);
        assertEquals(0, server.receive(1, 0, 600_000));
        assertEquals(0, client.send(2, 0, 500_000));
        final int[] received = {0};
        Node.await(() ->
        {
            received[0] += server.polled.poll(server.completions);
            client.polled.poll(client.completions);
            return received[0] > 0;
        });
        assertEquals(500_000, server.polled.byteLength(0));
        assertTrue(server.holds(0, 500_000, 3));
    }

    @Test
    void shouldConnectAgainAfterAReset()
    {
        for (int i = 0; i < 5; i++)
        {
            Node.connect(client, server);
            exchange(client, server);
            server.receive(50, 0, 100);
            client.send(51, 0, 100, 0);
            reset(i % 2 == 0 ? client : server);
            reset(i % 2 == 0 ? server : client);
            assertEquals(0, client.polled.poll(client.completions));
            assertEquals(0, server.polled.poll(server.completions));
        }
    }

    @Test
    void shouldRefuseASecondClaimAndAWrongSecret()
    {
        final Node third = new Node();
        final ConnectionOptions options = Node.options();
        final Endpoint clientEnd = client.endpoint();
        final Endpoint serverEnd = server.endpoint();
        server.close();
        server = Node.untrusting();
        final Endpoint hostEnd = server.endpoint();
        final byte[] guessed = hostEnd.deviceBytes();
        guessed[guessed.length - 1] ^= 1;
        final Endpoint guess = new Endpoint(hostEnd.queuePairNumber(), 0, hostEnd.gid(), 0, 4096, 1, 1, guessed);
        ReliableConnection.initialise(third.queuePair, options);
        assertEquals(Errno.ECONNREFUSED, assertThrows(VerbsException.class,
            () -> ReliableConnection.connect(third.queuePair, third.endpoint(), guess, options)).errno());
        assertEquals(QueuePairState.INIT, third.queuePair.state());

        Node.connect(client, server);
        assertEquals(Errno.ECONNREFUSED, assertThrows(VerbsException.class,
            () -> ReliableConnection.connect(third.queuePair, third.endpoint(), hostEnd, options)).errno());
        exchange(client, server);
        exchange(server, client);
        third.close();
        assertNotEquals(clientEnd.gid(), serverEnd.gid());
    }

    @Test
    void shouldConnectAQueuePairToItself()
    {
        final ConnectionOptions options = Node.options();
        final Endpoint end = server.endpoint();
        ReliableConnection.initialise(server.queuePair, options);
        ReliableConnection.connect(server.queuePair, end, end, options);
        server.fill(0, 100, 4);
        assertEquals(0, server.receive(1, 4096, 200));
        assertEquals(0, server.send(2, 0, 100, 0));
        assertEquals(CompletionStatus.SUCCESS, server.awaitStatus());
        assertTrue(server.holds(4096, 100, 4));
        assertEquals(0, server.oneSided(Opcode.RDMA_READ, server, 8192, 100, 4096));
        assertEquals(CompletionStatus.SUCCESS, server.awaitStatus());
        assertTrue(server.holds(8192, 100, 4));
        // A wrong key ends it, though no other side is there to tell.
        server.oneSided(Opcode.RDMA_READ, server.address(0), server.region.remoteKey() + (1 << 20), 0, 8);
        assertEquals(CompletionStatus.REM_ACCESS_ERR, server.awaitStatus());
        assertEquals(QueuePairState.ERR, server.queuePair.state());
    }

    @Test
    void shouldRefuseTwoSidesOfWhichNeitherTrustsTheOther()
    {
        server.close();
        server = Node.untrusting();
        try (Node other = Node.untrusting())
        {
            final VerbsException refused =
                assertThrows(VerbsException.class, () -> Node.connect(server, other));
            assertEquals(Errno.EINVAL, refused.errno());
        }
    }

    @Test
    void shouldSleepUntilAnotherThreadConnectsAndSends() throws InterruptedException
    {
        server.completions.requestNotify(false);
        final Thread sleeper = startSleeper(server);
        Node.connect(client, server);
        server.receive(1, 0, 100);
        client.send(1, 0, 50);
        sleeper.join(15_000);
        assertFalse(sleeper.isAlive());
        server.completions.acknowledgeEvents(1);
    }

    @Test
    void shouldWakeAReceiverForRoomWhoWaitsForASolicitedMessage() throws InterruptedException
    {
        Node.connect(client, server);
        // Frames that fill the ring without a remainder, so that no message is sent in pieces, which would wake.
        final int length = 16384 - FrameDescriptor.HEADER_LENGTH;
        for (int i = 0; i < 20; i++)
        {
            assertEquals(0, server.receive(i, 0, length));
        }
        assertEquals(0, server.completions.requestNotify(true));
        final Thread sleeper = startSleeper(server);
        for (int i = 0; i < 20; i++)
        {
            assertEquals(0, client.send(i, 0, length, i == 19 ? SendFlags.SOLICITED : 0));
        }
        Node.await(() ->
        {
            client.polled.poll(client.completions);
            return !sleeper.isAlive();
        });
        assertEquals(20, server.awaitCompletions(20));
        server.completions.acknowledgeEvents(1);
    }

    @Test
    void shouldGoOnSendingForWhoWaitsOnTheReceiveChannelOnly() throws InterruptedException
    {
        final Endpoint[] ends = new Endpoint[2];
                // No retry timer, which would make it look again.
        final ConnectionOptions options = Node.options().timeout(0, 7);
        try (CompletionQueue polled = client.context.createCompletionQueue(16, null, 0);
            QueuePair queuePair = client.domain.createQueuePair(new QueuePairInitAttributes(
                polled, client.completions, null, 8, 8, 1, 1, 0, false, false)))
        {
            ends[0] = ReliableConnection.local(client.context, queuePair, options);
            ends[1] = server.endpoint();
            ReliableConnection.initialise(queuePair, options);
            ReliableConnection.initialise(server.queuePair, options);
            ReliableConnection.connect(queuePair, ends[0], ends[1], options);
            client.sends.at(0).begin(1, Opcode.SEND, 0).element(client.address(0), 8, client.region.localKey());
            assertEquals(0, client.sends.post(queuePair, 1));
            final Thread sleeper = startSleeper(client);
            assertEquals(0, server.receive(1, 0, 8));
            ReliableConnection.connect(server.queuePair, ends[1], ends[0], options);
            assertEquals(CompletionStatus.SUCCESS, server.awaitStatus());
            client.channel.wakeUp();
            sleeper.join(20_000);
            assertFalse(sleeper.isAlive());
        }
    }

    @Test
    void shouldTryAgainForWhoSleptBeforeARequestWasPosted() throws InterruptedException
    {
        Node.connect(client, server);
        assertEquals(0, client.completions.requestNotify(false));
        final Thread sleeper = startSleeper(client);
        // The server has no receive, and only the sleeper is there to try again.
        assertEquals(0, client.send(1, 0, 8));
        sleeper.join(20_000);
        assertFalse(sleeper.isAlive());
        assertEquals(CompletionStatus.RNR_RETRY_EXC_ERR, client.awaitStatus());
        client.completions.acknowledgeEvents(1);
    }

    @Test
    void shouldChangeWordsAtomically()
    {
        Node.connect(client, server);
        UnsafeApi.putLong(server.address(64), 40);
        client.sends.at(0).begin(1, Opcode.ATOMIC_FETCH_AND_ADD, SendFlags.SIGNALED)
            .element(client.address(0), 8, client.region.localKey())
            .atomic(server.address(64), server.region.remoteKey(), 2, 0);
        client.sends.at(1).begin(2, Opcode.ATOMIC_CMP_AND_SWP, SendFlags.SIGNALED)
            .element(client.address(8), 8, client.region.localKey())
            .atomic(server.address(64), server.region.remoteKey(), 42, 7);
        assertEquals(0, client.sends.post(client.queuePair, 2));
        assertEquals(2, client.awaitCompletions(2));
        assertEquals(40, UnsafeApi.getLong(client.address(0)));
        assertEquals(42, UnsafeApi.getLong(client.address(8)));
        assertEquals(7, UnsafeApi.getLong(server.address(64)));
        assertEquals(CompletionOpcode.COMP_SWAP, client.polled.opcode(1));
    }

    private static Thread startSleeper(final Node node) throws InterruptedException
    {
        final Thread sleeper = new Thread(() -> node.channel.awaitEvent(50_000_000_000L), "sleeper");
        sleeper.start();
        // Most likely it sleeps then; if not, the test shows less.
        Thread.sleep(50);
        return sleeper;
    }

    private static void reset(final Node node)
    {
        node.queuePair.modify(new QueuePairAttributes().state(QueuePairState.RESET), AttributeMask.STATE);
    }

    private static QueuePair flushedAndDestroyed(final Node node)
    {
        final QueuePair queuePair = node.domain.createQueuePair(new QueuePairInitAttributes(
            node.completions, node.completions, null, 4, 4, 1, 1, 0, false, false));
        ReliableConnection.initialise(queuePair, Node.options());
        queuePair.modify(new QueuePairAttributes().state(QueuePairState.ERR), AttributeMask.STATE);
        node.sends.at(0).begin(1, Opcode.SEND, SendFlags.SIGNALED).element(node.address(0), 8, node.region.localKey());
        assertEquals(0, node.sends.post(queuePair, 1));
        assertEquals(CompletionStatus.WR_FLUSH_ERR, node.awaitStatus());
        queuePair.close();
        return queuePair;
    }

    private static void exchange(final Node one, final Node other)
    {
        other.fill(4096, 3000, 9);
        assertEquals(0, one.oneSided(Opcode.RDMA_READ, other, 0, 3000, 4096));
        assertEquals(CompletionStatus.SUCCESS, one.awaitStatus());
        assertTrue(one.holds(0, 3000, 9));

        one.fill(100, 777, 5);
        assertEquals(0, one.oneSided(Opcode.RDMA_WRITE, other, 100, 777, 8193));
        assertEquals(CompletionStatus.SUCCESS, one.awaitStatus());
        assertTrue(other.holds(8193, 777, 5));

        assertEquals(0, other.receive(11, 20_000, 1000));
        assertEquals(0, one.send(12, 100, 777));
        assertEquals(CompletionStatus.SUCCESS, one.awaitStatus());
        assertEquals(CompletionStatus.SUCCESS, other.awaitStatus());
        assertEquals(11, other.polled.id(0));
        assertEquals(CompletionOpcode.RECV, other.polled.opcode(0));
        assertEquals(777, other.polled.byteLength(0));
        assertTrue(other.holds(20_000, 777, 5));
    }
}
