package org.onesided.tools.kvctl.rdma.talk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.PathChoice;
import org.onesided.verbs.PortAttributes;
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
 * The verbs of this side: an open device, one registered buffer, one completion queue and one queue pair. For one
 * thread.
 */
final class Station implements AutoCloseable
{
    private static final int BATCH = 16;
    private static final int POLLS_BETWEEN_LOOKS = 256;
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** Resources, the last one first. */
    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private final Context context;
    private final ConnectionOptions options;
    private final PortAttributes port;
    private final DeviceMemory memory;
    private final MemoryRegion region;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final QueuePair queuePair;
    private final SendRequests sends;
    private final ReceiveRequests receives;
    private final WorkCompletions completions;

    /**
     * Opens the device and moves a queue pair to INIT, where receives may be posted.
     *
     * @param device  to open.
     * @param options port, GID and access of the peer, also to the region.
     * @param needs   capacities.
     * @param out     gets the choice.
     */
    Station(final String device, final ConnectionOptions options, final Needs needs, final Consumer<String> out)
    {
        boolean success = false;
        try
        {
            context = added(Devices.find(device).open());
            this.options = PathChoice.resolve(context, options);
            port = context.queryPort(this.options.port());
            checkLength(needs.length());
            checkDepth(needs.receives());
            tellChoice(options, out);
            final ProtectionDomain domain = added(context.allocateProtectionDomain());
            memory = added(context.allocate(needs.length()));
            region = added(domain.register(memory.range(), options.access() | Access.LOCAL_WRITE));
            channel = needs.events() ? added(context.createCompletionChannel()) : null;
            queue = added(context.createCompletionQueue(needs.sends() + needs.receives(), channel, 0));
            queuePair = added(domain.createQueuePair(new QueuePairInitAttributes(
                queue, queue, null, needs.sends(), needs.receives(), 1, 1, 0, false, false)));
            sends = added(new SendRequests(1, 1));
            receives = added(new ReceiveRequests(BATCH, 1));
            completions = added(new WorkCompletions(BATCH));
            ReliableConnection.initialise(queuePair, this.options);
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

    private <T extends AutoCloseable> T added(final T resource)
    {
        made.push(resource);
        return resource;
    }

    private void checkLength(final long length)
    {
        if (length > port.maxMessageLength())
        {
            throw new TalkException(TalkException.Kind.USAGE, "the message is longer than the port's longest: size=" +
                length + " longest=" + port.maxMessageLength());
        }
    }

    private void checkDepth(final int depth)
    {
        final int most = Math.min(
            context.queryDevice().maxWorkRequests(), context.queryDevice().maxCompletions() - 1);
        if (depth > most)
        {
            throw new TalkException(
                TalkException.Kind.USAGE, "more receives than the device can queue: depth=" + depth + " most=" + most);
        }
    }

    private void tellChoice(final ConnectionOptions asked, final Consumer<String> out)
    {
        if (asked.port() == ConnectionOptions.FIRST_ACTIVE_PORT || asked.gidIndex() != options.gidIndex())
        {
            final StringBuilder line = new StringBuilder("  chosen:         device ")
                .append(context.device().name()).append(", port ").append(options.port());
            if (options.gidIndex() < 0)
            {
                line.append(", by LID");
            }
            else if (asked.gidIndex() != options.gidIndex())
            {
                line.append(", GID index ").append(options.gidIndex());
                for (final GidEntry entry : context.queryGidTable(options.port()))
                {
                    if (entry.index() == options.gidIndex())
                    {
                        line.append(" (").append(entry.type())
                            .append(entry.interfaceName().isEmpty() ? "" : " on " + entry.interfaceName()).append(')');
                    }
                }
            }
            out.accept(line.toString());
        }
    }

    Context context()
    {
        return context;
    }

    /** The resolved options. */
    ConnectionOptions options()
    {
        return options;
    }

    PortAttributes port()
    {
        return port;
    }

    boolean isInfiniBand()
    {
        return PortAttributes.INFINIBAND.equals(port.linkLayer());
    }

    /** GID of this side; null if ports are addressed by LID. */
    Gid gid()
    {
        return options.gidIndex() < 0 ? null : context.queryGid(options.port(), options.gidIndex());
    }

    DeviceMemory memory()
    {
        return memory;
    }

    MemoryRegion region()
    {
        return region;
    }

    QueuePair queuePair()
    {
        return queuePair;
    }

    WorkCompletions completions()
    {
        return completions;
    }

    /** The longest message that is copied while it is posted. */
    boolean isInline(final int length)
    {
        return length <= queuePair.initAttributes().maxInline();
    }

    /** Posts the same receive repeatedly. */
    void receive(final long id, final long offset, final int length, final int times)
    {
        for (int left = times; left > 0; left -= BATCH)
        {
            final int count = Math.min(left, BATCH);
            for (int i = 0; i < count; i++)
            {
                receives.at(i).begin(id).element(
                    memory.range().addressOf(offset, length), length, region.localKey());
            }
            check("post_recv", receives.post(queuePair, count), id);
        }
    }

    /** Posts a SEND. */
    void send(final long id, final long offset, final int length, final int flags)
    {
        sends.at(0).begin(id, Opcode.SEND, flags | SendFlags.SIGNALED).element(
            memory.range().addressOf(offset, length), length, region.localKey());
        check("post_send", sends.post(queuePair, 1), id);
    }

    /** Posts a READ or WRITE. */
    void access(
        final int opcode, final long id, final long offset, final int length, final long address, final int key)
    {
        sends.at(0).begin(id, opcode, SendFlags.SIGNALED)
            .element(memory.range().addressOf(offset, length), length, region.localKey())
            .remote(address, key);
        check("post_send", sends.post(queuePair, 1), id);
    }

    private void check(final String verb, final int errno, final long id)
    {
        if (errno != 0)
        {
            throw new VerbsException(verb, errno, "refused by queue pair " + queuePair.number() + " in " +
                queuePair.state() + ": wr_id=" + id);
        }
    }

    /** Polls completions, which replace those of the previous call. */
    int poll()
    {
        final int count = completions.poll(queue);
        if (count < 0)
        {
            throw new VerbsException("poll_cq", -count, "the completion queue is broken: queue pair=" +
                queuePair.number());
        }
        return count;
    }

    /**
     * Waits for completions: by events if asked for, else by polling, with naps after a while if they are allowed.
     *
     * @return number of completions, which replace those of the previous call; 0 if none came in time.
     */
    int await(final long timeoutNs, final boolean maySleep)
    {
        int count = poll();
        if (count > 0)
        {
            return count;
        }
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        while (elapsedNs < timeoutNs)
        {
            Conversation.checkInterrupt();
            if (channel != null)
            {
                count = awaitEvent(timeoutNs - elapsedNs);
            }
            else
            {
                if (maySleep && elapsedNs > SPIN_NS)
                {
                    LockSupport.parkNanos(NAP_NS);
                }
                count = maySleep ? poll() : spin();
            }
            if (count > 0)
            {
                return count;
            }
            elapsedNs = System.nanoTime() - startNs;
        }
        return 0;
    }

    private int spin()
    {
        for (int i = 0; i < POLLS_BETWEEN_LOOKS; i++)
        {
            final int count = poll();
            if (count > 0)
            {
                return count;
            }
            Thread.onSpinWait();
        }
        return 0;
    }

    private int awaitEvent(final long timeoutNs)
    {
        final int errno = queue.requestNotify(false);
        if (errno != 0)
        {
            throw new VerbsException("req_notify_cq", errno, "queue pair=" + queuePair.number());
        }
        final int count = poll();
        if (count > 0)
        {
            return count;
        }
        final CompletionQueue reported = channel.awaitEvent(Math.min(timeoutNs, TimeUnit.SECONDS.toNanos(1)));
        if (reported != null)
        {
            reported.acknowledgeEvents(1);
        }
        return poll();
    }

    /** Destroys everything. */
    @Override
    public void close()
    {
        CloseHelper.closeAll(made);
    }

    /** The values of the peer cannot be used. */
    static TalkException unreachable(final VerbsException e)
    {
        return new TalkException(TalkException.Kind.FAILED, e.getMessage() +
            (e.errno() == Errno.EINVAL ? "; see whether the peer's GID can be reached from this side's" : ""), e);
    }

    /**
     * Capacities.
     *
     * @param length   of the buffer, in bytes.
     * @param sends    requests outstanding at a time.
     * @param receives receives outstanding at a time.
     * @param events   whether to sleep on completion events.
     */
    record Needs(int length, int sends, int receives, boolean events)
    {
    }
}
