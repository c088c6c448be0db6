package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.PathChoice;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.SharedReceiveQueue;
import org.onesided.verbs.WorkCompletions;

/**
 * Two sides on the first real device, whichever library they call it through.
 */
final class RdmaPair implements AutoCloseable
{
    /** Only a guard against hanging. */
    private static final long DEADLINE_NS = 60_000_000_000L;
    private static final int LENGTH = 16384;

    final Side a;
    final Side b;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    RdmaPair(final IbvLibrary library)
    {
        boolean success = false;
        try
        {
            a = new Side(library, false);
            b = new Side(library, true);
            success = true;
        }
        finally
        {
            if (!success)
            {
                close();
            }
        }
    }

    RdmaPair connect()
    {
        final Endpoint ofA = ReliableConnection.local(a.context, a.queuePair, a.options);
        final Endpoint ofB = ReliableConnection.local(b.context, b.queuePair, b.options);
        ReliableConnection.initialise(a.queuePair, a.options);
        ReliableConnection.initialise(b.queuePair, b.options);
        ReliableConnection.connect(a.queuePair, ofA, ofB, a.options);
        ReliableConnection.connect(b.queuePair, ofB, ofA, b.options);
        return this;
    }

    void read()
    {
        UnsafeApi.putLong(b.memory.range().address(), 4711);
        read(1, b.memory.range().address(), b.region.remoteKey());
        complete(1, CompletionStatus.SUCCESS);
        assertEquals(4711, UnsafeApi.getLong(a.memory.range().address()));
    }

    void read(final long id, final long remoteAddress, final int remoteKey)
    {
        a.sends.at(0).begin(id, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(a.memory.range().address(), Long.BYTES, a.region.localKey())
            .remote(remoteAddress, remoteKey);
        assertEquals(0, a.sends.post(a.queuePair, 1));
    }

    void complete(final long id, final int status)
    {
        final long startNs = System.nanoTime();
        int count = a.completions.poll(a.queue);
        while (count == 0)
        {
            assertTrue(System.nanoTime() - startNs < DEADLINE_NS, "waited in vain for a completion: id=" + id);
            count = a.completions.poll(a.queue);
        }
        assertEquals(1, count);
        assertEquals(id, a.completions.id(0));
        assertEquals(status, a.completions.status(0), a.completions.describe(0));
    }

    @Override
    public void close()
    {
        while (!opened.isEmpty())
        {
            closeNow(opened.peek());
        }
    }

    /** Before its turn. */
    void closeNow(final AutoCloseable one)
    {
        opened.remove(one);
        try
        {
            one.close();
        }
        catch (final RuntimeException ex)
        {
            throw ex;
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** One of the two. */
    final class Side
    {
        final Context context;
        final ConnectionOptions options;
        final ProtectionDomain domain;
        final DeviceMemory memory;
        final MemoryRegion region;
        final CompletionChannel channel;
        final CompletionQueue queue;
        final SharedReceiveQueue sharedReceives;
        final QueuePair queuePair;
        final SendRequests sends;
        final WorkCompletions completions;

        private Side(final IbvLibrary library, final boolean isShared)
        {
            sends = open(() -> new SendRequests(64, 4));
            completions = open(() -> new WorkCompletions(16));
            context = open(() -> ((IbvDevice)new IbvDeviceProvider().device("")).open(library));
            domain = open(context::allocateProtectionDomain);
            options = PathChoice.resolve(context, ConnectionOptions.defaults(Access.REMOTE_ANY));
            memory = open(() -> context.allocate(LENGTH, HugePages.OFF));
            region = open(() -> domain.register(memory.range(), Access.LOCAL_WRITE | Access.REMOTE_ANY));
            channel = open(context::createCompletionChannel);
            queue = open(() -> context.createCompletionQueue(64, channel, 0));
            sharedReceives = isShared ? open(() -> domain.createSharedReceiveQueue(16, 2)) : null;
            queuePair = open(this::newQueuePair);
        }

        QueuePair newQueuePair()
        {
            return domain.createQueuePair(new QueuePairInitAttributes(
                queue, queue, sharedReceives, 16, 16, 4, 4, 64, false, false));
        }
    }

    <T extends AutoCloseable> T open(final Supplier<T> maker)
    {
        final T made = maker.get();
        opened.push(made);
        return made;
    }
}
