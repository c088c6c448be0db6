package org.onesided.verbs.shm;

import java.util.function.BooleanSupplier;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.Opcode;
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
 * One side of a connection: a context of its own, one queue pair, and some registered memory.
 */
final class Node implements AutoCloseable
{
    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_ANY;
    static final int BATCH = 64;
    private static final long DEADLINE_NS = 20_000_000_000L;

    final Context context;
    final ProtectionDomain domain;
    final CompletionChannel channel;
    final CompletionQueue completions;
    final DeviceMemory memory;
    final MemoryRegion region;
    final QueuePair queuePair;
    final SharedReceiveQueue shared;
    final SendRequests sends = new SendRequests(BATCH, 4);
    final ReceiveRequests receives = new ReceiveRequests(BATCH, 4);
    final WorkCompletions polled = new WorkCompletions(BATCH);

    Node(final long length, final boolean untrustedPeer, final int sharedCapacity)
    {
        context = Devices.find("shm").open();
        domain = context.allocateProtectionDomain();
        channel = context.createCompletionChannel();
        completions = context.createCompletionQueue(1024, channel, 0);
        memory = context.allocate(length);
        region = domain.register(memory.range(), ALL);
        shared = sharedCapacity == 0 ? null : domain.createSharedReceiveQueue(sharedCapacity, 4);
        queuePair = domain.createQueuePair(new QueuePairInitAttributes(
            completions, completions, shared, 32, 32, 4, 4, 128, false, untrustedPeer));
    }

    Node()
    {
        this(1 << 20, false, 0);
    }

    static Node untrusting()
    {
        return new Node(1 << 20, true, 0);
    }

    static ConnectionOptions options()
    {
        return ConnectionOptions.defaults(Access.REMOTE_ANY).port(1).gidIndex(0);
    }

    static void connect(final Node one, final Node other)
    {
        connect(one, other, options());
    }

    static void connect(final Node one, final Node other, final ConnectionOptions options)
    {
        final Endpoint oneEnd = one.endpoint();
        final Endpoint otherEnd = other.endpoint();
        ReliableConnection.initialise(one.queuePair, options);
        ReliableConnection.initialise(other.queuePair, options);
        ReliableConnection.connect(one.queuePair, oneEnd, otherEnd, options);
        ReliableConnection.connect(other.queuePair, otherEnd, oneEnd, options);
    }

    Endpoint endpoint()
    {
        return ReliableConnection.local(context, queuePair, options());
    }

    long address(final long offset)
    {
        return memory.range().address() + offset;
    }

    void fill(final long offset, final int length, final int seed)
    {
        for (int i = 0; i < length; i++)
        {
            UnsafeApi.putByte(address(offset + i), (byte)(seed + i * 7 + (i >> 8)));
        }
    }

    boolean holds(final long offset, final int length, final int seed)
    {
        for (int i = 0; i < length; i++)
        {
            if (UnsafeApi.getByte(address(offset + i)) != (byte)(seed + i * 7 + (i >> 8)))
            {
                return false;
            }
        }
        return true;
    }

    int receive(final long id, final long offset, final int length)
    {
        receives.at(0).begin(id).element(address(offset), length, region.localKey());
        return shared != null ? receives.post(shared, 1) : receives.post(queuePair, 1);
    }

    int send(final long id, final long offset, final int length)
    {
        return send(id, offset, length, SendFlags.SIGNALED);
    }

    int send(final long id, final long offset, final int length, final int flags)
    {
        sends.at(0).begin(id, Opcode.SEND, flags).element(address(offset), length, region.localKey());
        return sends.post(queuePair, 1);
    }

    int oneSided(final int opcode, final Node peer, final long offset, final int length, final long peerOffset)
    {
        return oneSided(opcode, peer.address(peerOffset), peer.region.remoteKey(), offset, length);
    }

    int oneSided(final int opcode, final long remote, final int key, final long offset, final int length)
    {
        sends.at(0).begin(opcode, opcode, SendFlags.SIGNALED)
            .element(address(offset), length, region.localKey())
            .remote(remote, key);
        return sends.post(queuePair, 1);
    }

    /**
     * Polls until there is a completion, and returns the status of the first.
     */
    int awaitStatus()
    {
        awaitCompletions(1);
        return polled.status(0);
    }

    int awaitCompletions(final int atLeast)
    {
        final long startNs = System.nanoTime();
        int count = 0;
        while (count == 0)
        {
            count = polled.poll(completions);
            if (System.nanoTime() - startNs > DEADLINE_NS)
            {
                throw new AssertionError("no completion came");
            }
        }
        if (count < atLeast)
        {
            throw new AssertionError("too few completions: " + count);
        }
        return count;
    }

    static void await(final BooleanSupplier condition)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - startNs > DEADLINE_NS)
            {
                throw new AssertionError("the condition did not come true");
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close()
    {
        queuePair.close();
        if (shared != null)
        {
            shared.close();
        }
        region.close();
        memory.close();
        completions.close();
        channel.close();
        domain.close();
        context.close();
        sends.close();
        receives.close();
        polled.close();
    }
}
