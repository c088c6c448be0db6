package org.onesided.benchmark;

import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.WorkCompletions;

/**
 * READs straight on the verbs API: one queue pair READs what another of this process has registered.
 */
final class RawReads implements AutoCloseable
{
    /** Places that are read. */
    static final int PLACES = 640;
    private static final int MAX_LENGTH = 8 * 1024;

    private final ProtectionDomain domain;
    private final DeviceMemory memory;
    private final MemoryRegion region;
    private final CompletionQueue queue;
    private final QueuePair reader;
    private final QueuePair target;
    private final SendRequests request = new SendRequests(1, 1);
    private final WorkCompletions completions = new WorkCompletions(1);
    private int place;

    RawReads(final Context context, final ConnectionOptions path)
    {
        final ConnectionOptions options = path.access(Access.REMOTE_READ);
        domain = context.allocateProtectionDomain();
        memory = context.allocate((PLACES + 1L) * MAX_LENGTH);
        region = domain.register(memory.range(), Access.LOCAL_WRITE | Access.REMOTE_READ);
        queue = context.createCompletionQueue(16, null, 0);
        reader = domain.createQueuePair(attributes());
        target = domain.createQueuePair(attributes());
        final Endpoint ofReader = ReliableConnection.local(context, reader, options);
        final Endpoint ofTarget = ReliableConnection.local(context, target, options);
        ReliableConnection.initialise(reader, options);
        ReliableConnection.initialise(target, options);
        ReliableConnection.connect(target, ofTarget, ofReader, options);
        ReliableConnection.connect(reader, ofReader, ofTarget, options);
    }

    private QueuePairInitAttributes attributes()
    {
        return new QueuePairInitAttributes(queue, queue, null, 4, 4, 1, 1, 0, false, false);
    }

    /**
     * READs one after the other, from as many places in turn as the lookups' records have: the emulation of page tables
     * costs more the more pages there are.
     *
     * @return mean time of one in nanoseconds.
     */
    double meanNs(final int length, final int count)
    {
        final long to = region.range().addressOf(0, length);
        final long first = region.range().addressOf(MAX_LENGTH, (long)length * PLACES);
        final long beginNs = System.nanoTime();
        for (int i = 0; i < count; i++)
        {
            request.at(0)
                .begin(i, Opcode.RDMA_READ, SendFlags.SIGNALED)
                .element(to, length, region.localKey())
                .remote(first + (long)place() * length, region.remoteKey());
            final int errno = request.post(reader, 1);
            if (errno != 0)
            {
                throw new IllegalStateException("READ cannot be posted: errno=" + errno);
            }
            while (completions.poll(queue) == 0)
            {
                Thread.onSpinWait();
            }
            if (completions.status(0) != CompletionStatus.SUCCESS)
            {
                throw new IllegalStateException("READ failed: " + completions.describe(0));
            }
        }
        return (System.nanoTime() - beginNs) / (double)count;
    }

    private int place()
    {
        place = place + 1 == PLACES ? 0 : place + 1;
        return place;
    }

    @Override
    public void close()
    {
        reader.close();
        target.close();
        queue.close();
        region.close();
        memory.close();
        domain.close();
        completions.close();
        request.close();
    }
}
