package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.testing.Closers;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Endpoint;
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
import org.onesided.verbs.SharedReceiveQueue;
import org.onesided.verbs.WorkCompletions;

/**
 * One of two hosts: a context of its own, one region, a completion queue for sends and one for receives, a queue pair
 * on them. All is closed in reverse order; what a test opens beside goes into {@link #closers}.
 */
final class Side implements AutoCloseable
{
    private static final int BATCH = 64;
    private static final int MAX_ELEMENTS = 32;

    final Closers closers = new Closers();
    final Setup setup;
    final ConnectionOptions connection;
    final Context context;
    final ProtectionDomain domain;
    final DeviceMemory memory;
    final MemoryRegion region;
    final CompletionChannel channel;
    final CompletionQueue sendQueue;
    final CompletionQueue receiveQueue;
    final SharedReceiveQueue sharedReceives;
    final QueuePair queuePair;
    final SendRequests sends;
    final ReceiveRequests receives;
    final Deque<Completion> sent = new ArrayDeque<>();
    final Deque<Completion> received = new ArrayDeque<>();
    private final WorkCompletions completions;

    Side(final String device, final Setup setup)
    {
        this.setup = setup;
        boolean ready = false;
        try
        {
            sends = closers.add(new SendRequests(BATCH, MAX_ELEMENTS));
            receives = closers.add(new ReceiveRequests(BATCH, MAX_ELEMENTS));
            completions = closers.add(new WorkCompletions(BATCH));
            context = closers.add(Devices.find(device).open());
            domain = closers.add(context.allocateProtectionDomain());
            connection = PathChoice.resolve(context, setup.connection);
            memory = closers.add(context.allocate(setup.memory));
            region = closers.add(domain.register(memory.range(), setup.regionAccess));
            channel = closers.add(context.createCompletionChannel());
            sendQueue = closers.add(context.createCompletionQueue(setup.completions, channel, 0));
            receiveQueue = closers.add(context.createCompletionQueue(setup.completions, channel, 0));
            sharedReceives = setup.sharedReceives ?
                closers.add(domain.createSharedReceiveQueue(setup.receives, setup.elements)) : null;
            queuePair = newQueuePair();
            ready = true;
        }
        finally
        {
            if (!ready)
            {
                closers.close();
            }
        }
    }

    QueuePairInitAttributes initAttributes()
    {
        return new QueuePairInitAttributes(
            sendQueue,
            receiveQueue,
            sharedReceives,
            setup.sends,
            setup.receives,
            setup.elements,
            setup.elements,
            setup.inline,
            setup.signalAll,
            setup.untrustedPeer);
    }

    QueuePair newQueuePair()
    {
        return closers.add(domain.createQueuePair(initAttributes()));
    }

    /**
     * Describes one of the queue pairs; its packet sequence number is the same however often it is asked for.
     */
    Endpoint endpoint(final QueuePair pair)
    {
        final Endpoint local = ReliableConnection.local(context, pair, connection);
        return new Endpoint(
            local.queuePairNumber(),
            local.lid(),
            local.gid(),
            pair.number() * 7919 & 0xFF_FFFF,
            local.mtu(),
            local.readDepth(),
            local.initiatorDepth(),
            local.deviceBytes());
    }

    long address(final long offset)
    {
        return memory.range().addressOf(offset, 0);
    }

    void fill(final long offset, final int length, final int seed)
    {
        for (int i = 0; i < length; i++)
        {
            UnsafeApi.putByte(address(offset + i), pattern(i, seed));
        }
    }

    boolean holds(final long offset, final int length, final int seed)
    {
        for (int i = 0; i < length; i++)
        {
            if (UnsafeApi.getByte(address(offset + i)) != pattern(i, seed))
            {
                return false;
            }
        }
        return true;
    }

    void expect(final long offset, final int length, final int seed)
    {
        for (int i = 0; i < length; i++)
        {
            final byte actual = UnsafeApi.getByte(address(offset + i));
            if (actual != pattern(i, seed))
            {
                assertEquals(pattern(i, seed), actual, "wrong byte: offset=" + (offset + i) + " seed=" + seed);
            }
        }
    }

    void expectZero(final long offset, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            assertEquals((byte)0, UnsafeApi.getByte(address(offset + i)), "not untouched: offset=" + (offset + i));
        }
    }

    long word(final long offset)
    {
        return UnsafeApi.getLongVolatile(null, address(offset));
    }

    void word(final long offset, final long value)
    {
        UnsafeApi.putLongVolatile(null, address(offset), value);
    }

    void receive(final long id, final long offset, final int length)
    {
        receive(queuePair, id, offset, length);
    }

    void receive(final QueuePair pair, final long id, final long offset, final int length)
    {
        receives.at(0).begin(id).element(address(offset), length, region.localKey());
        final int errno = sharedReceives == null ? receives.post(pair, 1) : receives.post(sharedReceives, 1);
        assertEquals(0, errno, "post receive: id=" + id);
    }

    void send(final long id, final long offset, final int length, final int flags)
    {
        sends.at(0).begin(id, Opcode.SEND, flags).element(address(offset), length, region.localKey());
        post(1);
    }

    void send(final long id, final long offset, final int length)
    {
        send(id, offset, length, SendFlags.SIGNALED);
    }

    void write(final long id, final long offset, final int length, final Side peer, final long target, final int flags)
    {
        prepare(0, id, Opcode.RDMA_WRITE, flags, offset, length, peer, target);
        post(1);
    }

    void write(final long id, final long offset, final int length, final Side peer, final long target)
    {
        write(id, offset, length, peer, target, SendFlags.SIGNALED);
    }

    void read(final long id, final long offset, final int length, final Side peer, final long source)
    {
        prepare(0, id, Opcode.RDMA_READ, SendFlags.SIGNALED, offset, length, peer, source);
        post(1);
    }

    void fetchAdd(final long id, final long result, final Side peer, final long target, final long add)
    {
        sends.at(0).begin(id, Opcode.ATOMIC_FETCH_AND_ADD, SendFlags.SIGNALED)
            .element(address(result), Long.BYTES, region.localKey())
            .atomic(peer.memory.range().address() + target, peer.region.remoteKey(), add, 0);
        post(1);
    }

    void compareSwap(
        final long id, final long result, final Side peer, final long target, final long compare, final long swap)
    {
        sends.at(0).begin(id, Opcode.ATOMIC_CMP_AND_SWP, SendFlags.SIGNALED)
            .element(address(result), Long.BYTES, region.localKey())
            .atomic(peer.memory.range().address() + target, peer.region.remoteKey(), compare, swap);
        post(1);
    }

    /**
     * Fills one request of the chain with a READ or WRITE; nothing is posted.
     */
    void prepare(
        final int index,
        final long id,
        final int opcode,
        final int flags,
        final long offset,
        final int length,
        final Side peer,
        final long remoteOffset)
    {
        sends.at(index).begin(id, opcode, flags)
            .element(address(offset), length, region.localKey())
            .remote(peer.memory.range().address() + remoteOffset, peer.region.remoteKey());
    }

    void post(final int count)
    {
        assertEquals(0, sends.post(queuePair, count), "post send");
    }

    /**
     * Takes all completions there are into {@link #sent} and {@link #received}; software devices progress meanwhile.
     */
    void poll()
    {
        sent.addAll(Completion.copy(completions, take(sendQueue)));
        received.addAll(Completion.copy(completions, take(receiveQueue)));
    }

    /**
     * Lets a software device progress and leaves the completions where they are.
     */
    void progress()
    {
        sendQueue.poll(0, 0);
        receiveQueue.poll(0, 0);
    }

    /**
     * Takes at most {@code count} completions out of one queue.
     */
    List<Completion> poll(final CompletionQueue queue)
    {
        return Completion.copy(completions, take(queue));
    }

    private int take(final CompletionQueue queue)
    {
        final int count = completions.poll(queue);
        if (count < 0)
        {
            throw new AssertionError("poll failed: errno=" + -count);
        }
        return count;
    }

    @Override
    public void close()
    {
        closers.close();
    }

    private static byte pattern(final int index, final int seed)
    {
        return (byte)(index * 31 + (index >>> 8) + seed * 17 + 1);
    }
}
