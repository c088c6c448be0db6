package org.onesided.verbs.soft;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.onesided.verbs.Access;
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
import org.onesided.verbs.GidType;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.SharedReceiveQueue;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.ReservedMemory;

/**
 * An open software device: checks requests against its limits and tracks its objects.
 */
public abstract class SoftContext implements Context
{

    private final Device device;
    private final DeviceAttributes limits;
    private final PortAttributes port;
    private final Gid gid;
    private final UseCount uses = new UseCount("close_device", "the context");
    private final RegionTable regions = new RegionTable();
    private final AsyncEvents events = new AsyncEvents();
    /** Whether a waiter must return without an event; set before the bell rings, which only ends its sleep. */
    private final AtomicBoolean isWaiterWoken = new AtomicBoolean();
    private final AtomicInteger protectionDomainNumbers = new AtomicInteger();
    private final AtomicInteger objects = new AtomicInteger();
    private final QueuePairTable queuePairs;
    private final CreationChecks checks;
    private final SoftProtectionDomain.Maker maker = new DomainMaker();
    private volatile boolean hasFailed;

    /**
     * @param device that is opened.
     * @param limits of the device; it has one port.
     * @param port   state and limits of port 1.
     * @param gid    of port 1.
     */
    protected SoftContext(final Device device, final DeviceAttributes limits, final PortAttributes port, final Gid gid)
    {
        this.device = device;
        this.limits = limits;
        this.port = port;
        this.gid = gid;
        queuePairs = new QueuePairTable(limits.maxQueuePairs());
        checks = new CreationChecks(limits);
    }

    @Override
    public final Device device()
    {
        return device;
    }

    @Override
    public final DeviceAttributes queryDevice()
    {
        return limits;
    }

    @Override
    public final PortAttributes queryPort(final int number)
    {
        if (number != 1)
        {
            throw new VerbsException("query_port", Errno.EINVAL, "the device has port 1 only: port=" + number);
        }
        return port;
    }

    @Override
    public final Map<String, Long> queryCounters(final int number)
    {
        queryPort(number);
        final Map<String, Long> counters = new TreeMap<>(deviceCounters());
        queuePairs.putCounters(counters);
        return counters;
    }

    @Override
    public final Gid queryGid(final int number, final int index)
    {
        if (number != 1 || index != 0)
        {
            throw new VerbsException("query_gid", Errno.EINVAL,
                "the device has GID 0 of port 1 only: port=" + number + " index=" + index);
        }
        return gid;
    }

    @Override
    public final List<GidEntry> queryGidTable(final int number)
    {
        return List.of(new GidEntry(0, queryGid(number, 0), GidType.SOFTWARE, "", true));
    }

    @Override
    public final DeviceMemory reserve(final long length, final HugePages hugePages)
    {
        return ReservedMemory.reserve(uses, length, hugePages);
    }

    @Override
    public final ProtectionDomain allocateProtectionDomain()
    {
        uses.acquire();
        return new SoftProtectionDomain(this, maker, uses, protectionDomainNumbers.incrementAndGet());
    }

    @Override
    public final CompletionChannel createCompletionChannel()
    {
        uses.acquire();
        return made(this::newCompletionChannel, uses);
    }

    @Override
    public final CompletionQueue createCompletionQueue(
        final int capacity, final CompletionChannel channel, final int vector)
    {
        checks.completionQueue(capacity, vector);
        final SoftCompletionChannel softChannel = CreationChecks.mine(
            this, "create_cq", channel, SoftCompletionChannel.class);
        uses.acquire();
        if (softChannel != null)
        {
            made(() ->
            {
                softChannel.uses().acquire();
                return softChannel;
            }, uses);
        }
        final SoftCompletionQueue completionQueue =
            new SoftCompletionQueue(this, uses, this::raise, capacity, softChannel);
        if (softChannel != null)
        {
            softChannel.add(completionQueue);
        }
        return completionQueue;
    }

    @Override
    public final AsyncEvent awaitAsyncEvent(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        while (true)
        {
            clearEventRing();
            AsyncEvent event = events.poll();
            if (event == null)
            {
                progressUnattended();
                event = events.poll();
            }
            final long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (event != null || leftNs <= 0 || isWaiterWoken.getAndSet(false) || uses.isClosed())
            {
                return event;
            }
            sleepForEvent(leftNs);
        }
    }

    /**
     * Updates the state of queue pairs that no thread polls. Not needed if a thread of the device does this.
     */
    protected void progressUnattended()
    {
        queuePairs.forEach(WorkQueues::progressNow);
    }

    @Override
    public final void wakeUpAsyncWaiter()
    {
        isWaiterWoken.set(true);
        ringForEvent();
    }

    @Override
    public boolean hasHardwareEvents()
    {
        return false;
    }

    @Override
    public final boolean hasFailed()
    {
        return hasFailed;
    }

    @Override
    public final void close()
    {
        if (uses.close())
        {
            release();
        }
    }

    /**
     * @return counts what was made from this context.
     */
    public final UseCount uses()
    {
        return uses;
    }

    /**
     * @return the GID of port 1.
     */
    public final Gid gid()
    {
        return gid;
    }

    /**
     * @return a number for an object that no other object of this context has.
     */
    protected final int nextObjectNumber()
    {
        return objects.incrementAndGet();
    }

    /**
     * @param action on the transport of each queue pair that is open.
     */
    protected final void forEachTransport(final Consumer<Transport> action)
    {
        queuePairs.forEach((queues) -> action.accept(queues.transport()));
    }

    /**
     * @param number of a queue pair.
     * @return its transport, or null if no queue pair that is open has the number.
     */
    protected final Transport transport(final int number)
    {
        final WorkQueues queues = queuePairs.find(number);
        return queues == null ? null : queues.transport();
    }

    /**
     * Waits until no request is being executed that began before this call. Not for a thread that executes one.
     */
    protected final void quiesceQueuePairs()
    {
        queuePairs.forEach(WorkQueues::quiesce);
    }

    /**
     * @return what the device counts beside READs: name and value of each.
     */
    protected Map<String, Long> deviceCounters()
    {
        return Map.of();
    }

    /**
     * Finds the memory of this device that a range is part of.
     *
     * @param range to be registered.
     * @return counts its uses; null if the range is not part of any that peers may reach.
     */
    protected abstract UseCount memoryOf(MemoryRange range);

    /**
     * There are about to be more regions than {@link RegionTable#FIRST_PLACES}.
     *
     * @throws VerbsException if there is no storage for them.
     */
    protected void regionTableGrows()
    {
    }

    /**
     * Tells peers of a region.
     *
     * @param region that was registered.
     */
    protected abstract void regionAdded(SoftMemoryRegion region);

    /**
     * Withdraws a region from peers.
     *
     * @param region that is deregistered.
     */
    protected abstract void regionRemoved(SoftMemoryRegion region);

    /**
     * @return a new channel.
     */
    protected abstract SoftCompletionChannel newCompletionChannel();

    /**
     * @param queues of a new queue pair, whose transport is not there yet.
     * @return its transport.
     */
    protected abstract Transport newTransport(WorkQueues queues);

    /**
     * @param domain           it belongs to.
     * @param maxWorkRequests  outstanding receives.
     * @param maxScatterGather elements of each.
     * @return a new shared receive queue.
     */
    protected abstract SoftSharedReceiveQueue newSharedReceiveQueue(
        SoftProtectionDomain domain, int maxWorkRequests, int maxScatterGather);

    /**
     * Makes {@link #sleepForEvent} return, now or when it is called next.
     */
    protected abstract void ringForEvent();

    /**
     * Resets the bell.
     */
    protected abstract void clearEventRing();

    /**
     * Sleeps until a thread rings the bell.
     *
     * @param timeoutNs for how long at most, in nanoseconds.
     */
    protected abstract void sleepForEvent(long timeoutNs);

    /**
     * Releases what the device holds.
     */
    protected abstract void release();

    /**
     * Adds an asynchronous event; from any thread.
     *
     * @param event that {@link #awaitAsyncEvent} is to return.
     */
    protected final void raise(final AsyncEvent event)
    {
        if (event.type() == AsyncEvent.Type.DEVICE_FATAL)
        {
            hasFailed = true;
        }
        if (events.add(event))
        {
            ringForEvent();
        }
    }

    private SoftMemoryRegion register(final SoftProtectionDomain domain, final MemoryRange range, final int access)
    {
        checks.region(range, access);
        domain.uses().acquire();
        return made(() ->
        {
            final UseCount memory = memoryOf(range);
            if (memory == null)
            {
                if ((access & Access.REMOTE_ANY) != 0)
                {
                    throw new VerbsException("reg_mr", Errno.EINVAL, String.format(
                        "only memory from this context's allocate() can be shared with peers: address=0x%x length=%d",
                        range.address(), range.length()));
                }
                return addRegion(domain, range, access, null);
            }
            memory.acquire();
            return made(() -> addRegion(domain, range, access, memory), memory);
        }, domain.uses());
    }

    private void deregister(final SoftMemoryRegion region)
    {
        // Tell peers first: once the place is free, another region may take it.
        regionRemoved(region);
        regions.remove(region);
        // A request that found the region before it was removed may still be copying.
        quiesceQueuePairs();
    }

    private QueuePair createQueuePair(final SoftProtectionDomain domain, final QueuePairInitAttributes asked)
    {
        final QueuePairInitAttributes granted = checks.queuePair(this, asked, maxInline());
        domain.uses().acquire();
        return made(() -> addQueuePair(domain, granted), domain.uses());
    }

    private SharedReceiveQueue createSharedReceiveQueue(
        final SoftProtectionDomain domain, final int maxWorkRequests, final int maxScatterGather)
    {
        checks.sharedReceives(maxWorkRequests, maxScatterGather);
        domain.uses().acquire();
        return made(() -> newSharedReceiveQueue(domain, maxWorkRequests, maxScatterGather), domain.uses());
    }

    /**
     * @return most bytes that a request may carry inline.
     */
    protected abstract int maxInline();

    private SoftMemoryRegion addRegion(
        final SoftProtectionDomain domain, final MemoryRange range, final int access, final UseCount memory)
    {
        final SoftMemoryRegion region =
            regions.add(domain, range, access, memory, this::deregister, this::regionTableGrows);
        if ((access & Access.REMOTE_ANY) != 0)
        {
            regionAdded(region);
        }
        return region;
    }

    private QueuePair addQueuePair(final SoftProtectionDomain domain, final QueuePairInitAttributes granted)
    {
        final WorkQueues added = queuePairs.add((number) ->
        {
            final WorkQueues queues = new WorkQueues(this::raise, regions, domain, granted, number, this::newTransport);
            if (queues.sharedReceives() != null)
            {
                queues.sharedReceives().uses().acquire();
            }
            queues.sendCompletions().add(queues);
            if (queues.receiveCompletions() != queues.sendCompletions())
            {
                queues.receiveCompletions().add(queues);
            }
            return queues;
        });
        return new SoftQueuePair(added, limits, queuePairs::remove);
    }

    /**
     * Makes an object; takes back the use that was begun for it if that fails.
     */
    private static <T> T made(final Supplier<T> maker, final UseCount use)
    {
        boolean success = false;
        try
        {
            final T object = maker.get();
            success = true;
            return object;
        }
        finally
        {
            if (!success)
            {
                use.release();
            }
        }
    }

    /**
     * Makes what belongs to protection domains.
     */
    private final class DomainMaker implements SoftProtectionDomain.Maker
    {
        @Override
        public MemoryRegion register(final SoftProtectionDomain domain, final MemoryRange range, final int access)
        {
            return SoftContext.this.register(domain, range, access);
        }

        @Override
        public QueuePair createQueuePair(final SoftProtectionDomain domain, final QueuePairInitAttributes attributes)
        {
            return SoftContext.this.createQueuePair(domain, attributes);
        }

        @Override
        public SharedReceiveQueue createSharedReceiveQueue(
            final SoftProtectionDomain domain, final int maxWorkRequests, final int maxScatterGather)
        {
            return SoftContext.this.createSharedReceiveQueue(domain, maxWorkRequests, maxScatterGather);
        }
    }
}
