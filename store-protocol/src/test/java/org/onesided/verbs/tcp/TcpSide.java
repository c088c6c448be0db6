package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.onesided.verbs.Access;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.PathChoice;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.WorkCompletions;

/**
 * A device with one queue pair, and a bound on the memory that it sends and receives with.
 */
final class TcpSide implements AutoCloseable
{
    private static final int LENGTH = 4096;
    private static final int QUEUE_LENGTH = 16;
    private static final int RECEIVES = 64;
    private static final long HANG_GUARD_NS = TimeUnit.SECONDS.toNanos(60);

    final TcpContext context;
    final QueuePair queuePair;
    final TcpTransport transport;
    final MemoryRegion region;
    private final Deque<StagingBuffer> taken = new ArrayDeque<>();
    private final Deque<CountDownLatch> held = new ArrayDeque<>();
    private final ProtectionDomain domain;
    private final DeviceMemory memory;
    private final CompletionQueue sendCompletions;
    private final CompletionQueue receiveCompletions;
    private final ConnectionOptions options;
    private final WorkCompletions completions = new WorkCompletions(1);
    private final SendRequests sends = new SendRequests(1, 1);
    private final ReceiveRequests receives = new ReceiveRequests(RECEIVES, 1);
    private final int buffers;

    private TcpSide(final TcpDevice device, final int buffers)
    {
        this.buffers = buffers;
        context = TcpContext.open(device, device.address(), device::listening, new StagingPool(
            buffers * (long)StagingBuffer.CAPACITY, StagingBuffer.CAPACITY));
        domain = context.allocateProtectionDomain();
        memory = context.allocate(LENGTH, HugePages.OFF);
        region = domain.register(memory.range(), Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
        sendCompletions = context.createCompletionQueue(QUEUE_LENGTH, null, 0);
        receiveCompletions = context.createCompletionQueue(QUEUE_LENGTH, null, 0);
        options = PathChoice.resolve(
            context, ConnectionOptions.defaults(Access.REMOTE_READ | Access.REMOTE_WRITE));
        queuePair = domain.createQueuePair(new QueuePairInitAttributes(
            sendCompletions, receiveCompletions, null, QUEUE_LENGTH, RECEIVES, 1, 1, 0, true, true));
        transport = context.find(queuePair.number());
    }

    /**
     * @param buffers that it has.
     */
    static TcpSide listening(final int buffers)
    {
        return new TcpSide(new TcpDevice("tcp:127.0.0.1:0", TcpAddress.parse("127.0.0.1:0")), buffers);
    }

    /**
     * @param buffers that it has.
     */
    static TcpSide connecting(final int buffers)
    {
        return new TcpSide(new TcpDevice("tcp", null), buffers);
    }

    /** Has this side begin to connect to one that listens. */
    void begin(final TcpSide server)
    {
        final Endpoint own = ReliableConnection.local(context, queuePair, options);
        final Endpoint peer = ReliableConnection.local(server.context, server.queuePair, server.options);
        ReliableConnection.initialise(server.queuePair, server.options);
        ReliableConnection.initialise(queuePair, options);
        ReliableConnection.connect(server.queuePair, peer, own, server.options);
        ReliableConnection.connect(queuePair, own, peer, options);
    }

    /** Has this side connect to one that listens; afterwards this side sends. */
    void connect(final TcpSide server)
    {
        begin(server);
        final long endNs = System.nanoTime() + HANG_GUARD_NS;
        while (transport.connection() == null)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> "not connected: " + queuePair.failureReason());
            Thread.onSpinWait();
        }
    }

    void read(final long id, final TcpSide server)
    {
        post(id, Opcode.RDMA_READ, Long.BYTES, server.region.remoteKey(), server.address());
    }

    void post(final long id, final int opcode, final int length, final int key, final long address)
    {
        sends.at(0).begin(id, opcode, SendFlags.SIGNALED).element(address(), length, region.localKey())
            .remote(address, key);
        assertEquals(0, sends.post(queuePair, 1));
    }

    void receive(final int count, final int length)
    {
        for (int i = 0; i < count; i++)
        {
            receives.at(i).begin(i).element(address(), length, region.localKey());
        }
        assertEquals(0, receives.post(queuePair, count));
    }

    /** Waits for the next completion of what was sent, and gives its status. */
    int next(final long id)
    {
        final long endNs = System.nanoTime() + HANG_GUARD_NS;
        while (completions.poll(sendCompletions) == 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> "waited in vain: id=" + id);
            Thread.onSpinWait();
        }
        assertEquals(id, completions.id(0));
        return completions.status(0);
    }

    AsyncEvent event()
    {
        final AsyncEvent event = context.awaitAsyncEvent(HANG_GUARD_NS);
        assertNotNull(event);
        return event;
    }

    long fault(final String reason)
    {
        return context.queryFaults().get(reason);
    }

    long address()
    {
        return memory.range().address();
    }

    int completionQueueLength()
    {
        return receiveCompletions.capacity();
    }

    void awaitConnectionEnd()
    {
        final long endNs = System.nanoTime() + HANG_GUARD_NS;
        while (transport.connection() != null)
        {
            assertTrue(System.nanoTime() - endNs < 0, "the connection does not end");
            Thread.onSpinWait();
        }
    }

    /** Takes all the memory, as soon as nothing else has any. */
    void exhaust()
    {
        exhaust(buffers);
    }

    void exhaust(final int count)
    {
        final long endNs = System.nanoTime() + HANG_GUARD_NS;
        while (taken.size() < count)
        {
            try
            {
                taken.push(context.stagingPool().take());
            }
            catch (final VerbsException ex)
            {
                // Whoever has it is about to give it back.
                assertTrue(System.nanoTime() - endNs < 0, ex::getMessage);
                Thread.onSpinWait();
            }
        }
    }

    void replenish()
    {
        taken.forEach(context.stagingPool()::giveBack);
        taken.clear();
    }

    /** Has the progress thread do nothing until the latch is counted down. */
    CountDownLatch hold()
    {
        final CountDownLatch holding = new CountDownLatch(1);
        final CountDownLatch latch = new CountDownLatch(1);
        held.push(latch);
        context.progress().execute(() ->
        {
            holding.countDown();
            await(latch);
        });
        await(holding);
        return latch;
    }

    @Override
    public void close()
    {
        held.forEach(CountDownLatch::countDown);
        replenish();
        queuePair.close();
        sendCompletions.close();
        receiveCompletions.close();
        region.close();
        memory.close();
        domain.close();
        context.close();
        completions.close();
        sends.close();
        receives.close();
    }

    private static void await(final CountDownLatch latch)
    {
        try
        {
            assertTrue(latch.await(HANG_GUARD_NS, TimeUnit.NANOSECONDS));
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
