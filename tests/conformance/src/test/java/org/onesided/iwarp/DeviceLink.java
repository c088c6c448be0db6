package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.WorkCompletions;

/**
 * A queue pair of the device whose peer is an {@link IwarpPeer}, with a completion queue of its own.
 */
final class DeviceLink implements AutoCloseable
{
    /** The peer's queue pair number. */
    static final int PEER_NUMBER = 0x71;
    static final int SECRET_LENGTH = 16;

    private static final Gid LOOPBACK = new Gid(0, 0xFFFF_7F00_0001L);
    private static final int QUEUE_LENGTH = 64;
    private static final long GONE_ID = 0x60_0000;

    final DeviceEnd end;
    final QueuePair queuePair;
    /** What peers may do, and how long they have for it. */
    ConnectionOptions options;
    final byte[] peerSecret = new byte[SECRET_LENGTH];
    private final Deque<Done> done = new ArrayDeque<>();
    private final CompletionQueue completionQueue;
    private final WorkCompletions completions = new WorkCompletions(QUEUE_LENGTH);
    private final SendRequests sends = new SendRequests(1, 2);
    private final ReceiveRequests receives = new ReceiveRequests(1, 2);
    private final int depth;
    private long sent;

    /** A completion, copied. */
    record Done(long id, int status, int length)
    {
    }

    /**
     * @param depth READs in each direction.
     */
    DeviceLink(final DeviceEnd end, final int depth)
    {
        this(end, depth, null);
    }

    /**
     * @param depth   READs in each direction.
     * @param channel of its completion queue, or null.
     */
    DeviceLink(final DeviceEnd end, final int depth, final CompletionChannel channel)
    {
        this.end = end;
        this.depth = depth;
        options = end.options;
        new Random(depth).nextBytes(peerSecret);
        completionQueue = end.context.createCompletionQueue(2 * QUEUE_LENGTH, channel, 0);
        queuePair = end.domain.createQueuePair(new QueuePairInitAttributes(
            completionQueue, completionQueue, null, QUEUE_LENGTH, QUEUE_LENGTH, 2, 2, 0, true, true));
    }

    /** The secret that a peer has to show. */
    byte[] secret()
    {
        final byte[] bytes = queuePair.deviceBytes();
        return Arrays.copyOfRange(bytes, bytes.length - SECRET_LENGTH, bytes.length);
    }

    /**
     * Takes the queue pair to RTS.
     *
     * @param port    where the peer listens; 0 if it connects.
     * @param with    what the peer may do.
     */
    void connect(final int port, final ConnectionOptions with)
    {
        final byte[] deviceBytes = queuePair.deviceBytes();
        System.arraycopy(peerSecret, 0, deviceBytes, deviceBytes.length - SECRET_LENGTH, SECRET_LENGTH);
        final Endpoint local = ReliableConnection.local(end.context, queuePair, with);
        final Endpoint peer = new Endpoint(
            PEER_NUMBER, port, port == 0 ? new Gid(0, 0) : LOOPBACK, 1, local.mtu(), depth, depth, deviceBytes);
        ReliableConnection.initialise(queuePair, with);
        ReliableConnection.connect(queuePair, local, peer, with);
    }

    void connect(final int port)
    {
        connect(port, options);
    }

    /** The request of a peer that does all as it should. */
    StartUp request()
    {
        return StartUp.enhanced(false, depth, depth, queuePair.number(), PEER_NUMBER, secret());
    }

    /** The device waits, and a peer connects. */
    IwarpPeer initiate() throws IOException
    {
        connect(0);
        final IwarpPeer peer = IwarpPeer.connect(end.port());
        final StartUp reply = peer.request(request());
        checkAddressee(reply, true);
        peer.readyToReceive();
        return peer;
    }

    /** A peer waits, and the device connects. */
    IwarpPeer respond() throws IOException
    {
        try (ServerSocket listener = new ServerSocket(0))
        {
            connect(listener.getLocalPort());
            final IwarpPeer peer = IwarpPeer.accept(listener);
            final StartUp request = peer.startUp();
            checkAddressee(request, false);
            peer.send(reply().bytes());
            return peer;
        }
    }

    StartUp reply()
    {
        return StartUp.enhanced(true, depth, depth, PEER_NUMBER, queuePair.number(), secret());
    }

    void checkAddressee(final StartUp frame, final boolean isReply)
    {
        assertEquals(isReply, frame.isReply(), "reply");
        assertEquals(StartUp.CRC | StartUp.ENHANCED, frame.flags(), "flags");
        assertEquals(2, frame.revision(), "revision");
        assertTrue(frame.isPeerToPeer(), "peer to peer");
        assertTrue(frame.hasWriteForRtr(), "WRITE as RTR frame");
        assertTrue(Arrays.equals(peerSecret, frame.secret()), "the peer's secret");
    }

    void receive(final long id, final long offset, final int length)
    {
        receives.at(0).begin(id).element(end.address(offset), length, end.region.localKey());
        assertEquals(0, receives.post(queuePair, 1), "post receive");
    }

    void send(final long id, final long offset, final int length, final boolean isSolicited)
    {
        sends.at(0).begin(id, Opcode.SEND, SendFlags.SIGNALED | (isSolicited ? SendFlags.SOLICITED : 0))
            .element(end.address(offset), length, end.region.localKey());
        assertEquals(0, sends.post(queuePair, 1), "post send");
    }

    void read(final long id, final long offset, final int length, final long to, final int stag)
    {
        sends.at(0).begin(id, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(end.address(offset), length, end.region.localKey()).remote(to, stag);
        assertEquals(0, sends.post(queuePair, 1), "post READ");
    }

    /** WRITEs from a region's beginning. */
    void writeFromBegin(final long id, final int localKey, final int length, final long to, final int stag)
    {
        sends.at(0).begin(id, Opcode.RDMA_WRITE, SendFlags.SIGNALED)
            .element(end.address(0), length, localKey).remote(to, stag);
        assertEquals(0, sends.post(queuePair, 1), "post WRITE");
    }

    void write(final long id, final long offset, final int length, final long to, final int stag)
    {
        sends.at(0).begin(id, Opcode.RDMA_WRITE, SendFlags.SIGNALED)
            .element(end.address(offset), length, end.region.localKey()).remote(to, stag);
        assertEquals(0, sends.post(queuePair, 1), "post WRITE");
    }

    /** Lets the device work for its caller. */
    void poll()
    {
        final int count = completions.poll(completionQueue);
        assertTrue(count >= 0, () -> "poll failed: errno=" + -count);
        for (int i = 0; i < count; i++)
        {
            done.add(new Done(completions.id(i), completions.status(i), completions.byteLength(i)));
        }
    }

    /** Takes all completions there are. */
    List<Done> drain()
    {
        poll();
        final List<Done> all = List.copyOf(done);
        done.clear();
        return all;
    }

    /** Has the next completion give an event. */
    void arm()
    {
        assertEquals(0, completionQueue.requestNotify(false));
    }

    void acknowledge()
    {
        completionQueue.acknowledgeEvents(1);
    }

    /** Waits for the next completion. */
    Done next()
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(20);
        while (done.isEmpty())
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> "waited in vain: state=" + queuePair.state());
            poll();
            Thread.yield();
        }
        return done.remove();
    }

    /** Waits for the next completion, which must be this one. */
    Done await(final long id, final int status)
    {
        final Done next = next();
        assertEquals(
            "id=" + id + " " + CompletionStatus.name(status),
            "id=" + next.id() + " " + CompletionStatus.name(next.status()));
        return next;
    }

    Done await(final long id)
    {
        return await(id, CompletionStatus.SUCCESS);
    }

    void awaitState(final QueuePairState state)
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(20);
        while (queuePair.state() != state)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> "waited in vain: state=" + queuePair.state());
            poll();
            Thread.yield();
        }
    }

    /** Sends until it is told that the peer is gone: nothing else tells a side that waits for nothing. */
    void awaitGone()
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(20);
        while (queuePair.state() != QueuePairState.ERR)
        {
            assertTrue(System.nanoTime() - endNs < 0, "the peer's end is not noticed");
            if (sent == 0)
            {
                sent = GONE_ID;
                send(GONE_ID, 0, 1, false);
            }
            poll();
            Thread.yield();
            if (done.removeIf((one) -> one.id() == GONE_ID && one.status() == CompletionStatus.SUCCESS))
            {
                sent = 0;
            }
        }
        sent = 0;
    }

    void reset()
    {
        queuePair.modify(new QueuePairAttributes().state(QueuePairState.RESET), AttributeMask.STATE);
    }

    boolean isQuiet()
    {
        poll();
        return done.isEmpty();
    }

    @Override
    public void close()
    {
        queuePair.close();
        completionQueue.close();
        completions.close();
        sends.close();
        receives.close();
    }
}
