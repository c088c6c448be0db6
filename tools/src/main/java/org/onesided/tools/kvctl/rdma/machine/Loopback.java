package org.onesided.tools.kvctl.rdma.machine;

import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.WorkCompletions;

/**
 * Connects two queue pairs of one device and READs from one to the other.
 */
final class Loopback
{
    static final int LENGTH = 64;
    private static final int REQUESTS = 4;
    private static final long SOURCE = 0;
    private static final long SINK = 4096;
    private static final long MEMORY_LENGTH = 8192;
    private static final long DEADLINE_NS = 10_000_000_000L;

    private Loopback()
    {
    }

    /**
     * READs once and compares the bytes.
     *
     * @param context of the device.
     * @param path    port and GID, resolved.
     * @throws VerbsException if a verb or the READ failed or timed out, or the bytes differ.
     */
    static void read(final Context context, final ConnectionOptions path)
    {
        try (ProtectionDomain domain = context.allocateProtectionDomain();
            DeviceMemory memory = context.allocate(MEMORY_LENGTH);
            MemoryRegion region = domain.register(memory.range(), Access.LOCAL_WRITE | Access.REMOTE_READ);
            CompletionQueue queue = context.createCompletionQueue(2 * REQUESTS, null, 0);
            QueuePair reader = domain.createQueuePair(attributes(queue));
            QueuePair owner = domain.createQueuePair(attributes(queue));
            SendRequests requests = new SendRequests(1, 1);
            WorkCompletions completions = new WorkCompletions(1))
        {
            connect(context, reader, owner, path);
            for (int i = 0; i < LENGTH; i++)
            {
                UnsafeApi.putByte(memory.range().addressOf(SOURCE + i, 1), pattern(i));
            }
            requests.at(0).begin(1, Opcode.RDMA_READ, SendFlags.SIGNALED)
                .element(region.range().addressOf(SINK, LENGTH), LENGTH, region.localKey())
                .remote(region.range().addressOf(SOURCE, LENGTH), region.remoteKey());
            final int errno = requests.post(reader, 1);
            if (errno != 0)
            {
                throw new VerbsException("post_send", errno, "the READ was refused: device=" + name(context));
            }
            await(context, queue, completions);
            compare(context, memory);
        }
    }

    private static QueuePairInitAttributes attributes(final CompletionQueue queue)
    {
        return new QueuePairInitAttributes(queue, queue, null, REQUESTS, REQUESTS, 1, 1, 0, false, false);
    }

    private static void connect(
        final Context context, final QueuePair reader, final QueuePair owner, final ConnectionOptions path)
    {
        ReliableConnection.initialise(reader, path);
        ReliableConnection.initialise(owner, path);
        final Endpoint readerEnd = ReliableConnection.local(context, reader, path);
        final Endpoint ownerEnd = ReliableConnection.local(context, owner, path);
        ReliableConnection.connect(owner, ownerEnd, readerEnd, path);
        ReliableConnection.connect(reader, readerEnd, ownerEnd, path);
    }

    private static void await(
        final Context context, final CompletionQueue queue, final WorkCompletions completions)
    {
        final long startNs = System.nanoTime();
        int count = completions.poll(queue);
        while (count == 0 && System.nanoTime() - startNs < DEADLINE_NS)
        {
            Thread.onSpinWait();
            count = completions.poll(queue);
        }
        if (count < 0)
        {
            throw new VerbsException("poll_cq", -count, "the completion queue is broken: device=" + name(context));
        }
        if (count == 0)
        {
            throw new VerbsException("poll_cq", Errno.EAGAIN, "the READ did not complete: device=" + name(context) +
                " deadline_s=" + DEADLINE_NS / 1_000_000_000L);
        }
        if (completions.status(0) != CompletionStatus.SUCCESS)
        {
            throw new VerbsException("post_send", Errno.EIO, "the READ failed: device=" + name(context) + " status=" +
                CompletionStatus.name(completions.status(0)) + " vendor_err=" + completions.vendorError(0));
        }
    }

    private static void compare(final Context context, final DeviceMemory memory)
    {
        for (int i = 0; i < LENGTH; i++)
        {
            final byte found = UnsafeApi.getByte(memory.range().addressOf(SINK + i, 1));
            if (found != pattern(i))
            {
                throw new VerbsException("post_send", Errno.EIO, "the READ brought wrong bytes: device=" +
                    name(context) + " offset=" + i + " expected=" + pattern(i) + " found=" + found);
            }
        }
    }

    private static byte pattern(final int index)
    {
        return (byte)(index * 37 + 11);
    }

    private static String name(final Context context)
    {
        return context.device().name();
    }
}
