package org.onesided.chaos;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.GrowableMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.VerbsException;

/**
 * An open device with faults. Thread-safe.
 */
final class ChaosContext implements Context
{
    private final ChaosDevice device;
    private final Context wrapped;
    private final AtomicLong queuePairs = new AtomicLong();
    private final Set<ChaosCompletionQueue> completionQueues = ConcurrentHashMap.newKeySet();
    private final Queue<AsyncEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isWaiterWoken = new AtomicBoolean();

    ChaosContext(final ChaosDevice device, final Context wrapped)
    {
        this.device = device;
        this.wrapped = wrapped;
    }

    @Override
    public Device device()
    {
        return device;
    }

    @Override
    public DeviceAttributes queryDevice()
    {
        return wrapped.queryDevice();
    }

    @Override
    public PortAttributes queryPort(final int port)
    {
        return wrapped.queryPort(port);
    }

    @Override
    public Gid queryGid(final int port, final int index)
    {
        return wrapped.queryGid(port, index);
    }

    @Override
    public List<GidEntry> queryGidTable(final int port)
    {
        return wrapped.queryGidTable(port);
    }

    @Override
    public DeviceMemory allocate(final long length, final HugePages hugePages)
    {
        return wrapped.allocate(length, hugePages);
    }

    @Override
    public GrowableMemory allocateGrowable(final long length, final HugePages hugePages)
    {
        return wrapped.allocateGrowable(length, hugePages);
    }

    @Override
    public DeviceMemory reserve(final long length, final HugePages hugePages)
    {
        return wrapped.reserve(length, hugePages);
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        return new ChaosProtectionDomain(this, wrapped.allocateProtectionDomain());
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        return new ChaosCompletionChannel(this, wrapped.createCompletionChannel());
    }

    @Override
    public CompletionQueue createCompletionQueue(
        final int capacity, final CompletionChannel channel, final int vector)
    {
        if (channel != null && (!(channel instanceof ChaosCompletionChannel mine) || mine.context() != this))
        {
            throw new VerbsException("create_cq", Errno.EINVAL, "a channel of another context: channel=" + channel);
        }
        final ChaosCompletionQueue queue =
            ChaosCompletionQueue.create(this, wrapped, capacity, (ChaosCompletionChannel)channel, vector);
        completionQueues.add(queue);
        return queue;
    }

    @Override
    public Map<String, Long> queryCounters(final int port)
    {
        return wrapped.queryCounters(port);
    }

    @Override
    public AsyncEvent awaitAsyncEvent(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        while (true)
        {
            completionQueues.forEach(ChaosCompletionQueue::progress);
            final AsyncEvent own = events.poll();
            if (own != null)
            {
                return own;
            }
            final long nowNs = System.nanoTime();
            final long leftNs = Math.max(0, timeoutNs - (nowNs - startNs));
            long dueNs = leftNs;
            for (final ChaosCompletionQueue queue : completionQueues)
            {
                dueNs = Math.min(dueNs, queue.dueInNs(nowNs));
            }
            final AsyncEvent event = wrapped.awaitAsyncEvent(dueNs);
            if (event != null)
            {
                return event.completionQueue() == null ? event :
                    new AsyncEvent(event.type(), event.number(), ofWrapped(event.completionQueue()));
            }
            if (leftNs == 0 || isWaiterWoken.getAndSet(false))
            {
                return events.poll();
            }
        }
    }

    @Override
    public void wakeUpAsyncWaiter()
    {
        isWaiterWoken.set(true);
        wrapped.wakeUpAsyncWaiter();
    }

    @Override
    public boolean hasHardwareEvents()
    {
        return wrapped.hasHardwareEvents();
    }

    @Override
    public void close()
    {
        wrapped.close();
    }

    FaultPlan plan()
    {
        return device.plan();
    }

    Faults faults()
    {
        return device.faults();
    }

    DeviceAttributes limits()
    {
        return wrapped.queryDevice();
    }

    long nextQueuePair()
    {
        return queuePairs.getAndIncrement();
    }

    ChaosCompletionQueue mine(final String verb, final CompletionQueue queue)
    {
        if (queue instanceof ChaosCompletionQueue mine && mine.context() == this)
        {
            return mine;
        }
        throw new VerbsException(verb, Errno.EINVAL, "a completion queue of another context: queue=" + queue);
    }

    void raise(final AsyncEvent event)
    {
        events.add(event);
        wrapped.wakeUpAsyncWaiter();
    }

    void remove(final ChaosCompletionQueue queue)
    {
        completionQueues.remove(queue);
    }

    private CompletionQueue ofWrapped(final CompletionQueue queue)
    {
        for (final ChaosCompletionQueue mine : completionQueues)
        {
            if (mine.wraps(queue))
            {
                return mine;
            }
        }
        return queue;
    }
}
