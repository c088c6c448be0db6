package org.onesided.verbs.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.DeviceIdentity;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.GrowableMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.PortState;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.GrowingMemory;
import org.onesided.verbs.posix.PrivateMemory;
import org.onesided.verbs.soft.RegionTable;
import org.onesided.verbs.soft.SoftCompletionChannel;
import org.onesided.verbs.soft.SoftContext;
import org.onesided.verbs.soft.SoftMemoryRegion;
import org.onesided.verbs.soft.SoftProtectionDomain;
import org.onesided.verbs.soft.SoftSharedReceiveQueue;
import org.onesided.verbs.soft.Transport;
import org.onesided.verbs.soft.WorkQueues;

/**
 * An open tcp device. Its GID is the address where it listens and its LID the port, both zero if it does not.
 */
final class TcpContext extends SoftContext implements Reception
{
    private static final int MAX_INLINE = 1024;
    private static final int MAX_MTU = 4096;
    /** READs that a queue pair answers at a time, and may have in flight. */
    private static final int MAX_READS = 128;
    private static final DeviceAttributes LIMITS = new DeviceAttributes(
        DeviceIdentity.SOFTWARE, 65536, 16384, 32, 65536, 1 << 22, RegionTable.CAPACITY, 1L << 46, 65536, MAX_READS,
        MAX_READS, 4096, 32768, 32, 1, false, 1);
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final int port;
    private final Progress progress = new Progress(
        "tcp-progress-" + NUMBERS.incrementAndGet(), () -> raise(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0)));
    private final StagingPool stagingPool;
    private final Counters counters = new Counters();
    private final SharedParts parts;
    /** Memory by address. */
    private final TreeMap<Long, TcpMemory> memories = new TreeMap<>();
    /** Counts regions over memory from elsewhere, which its owner keeps alive. */
    private final UseCount foreignMemory = new UseCount("free", "the memory");
    private final Object events = new Object();
    private boolean eventRung;

    private TcpContext(
        final Device device, final Listener listener, final int port, final Gid gid, final StagingPool stagingPool)
    {
        super(device, LIMITS, new PortAttributes(PortState.ACTIVE, TcpAddress.KIND, MAX_MTU, MAX_MTU,
            SegmentDescriptor.MAX_MESSAGE_LENGTH, port, 1, 0, 0), gid);
        this.port = port;
        this.stagingPool = stagingPool;
        final Attendance attendance = new Attendance(progress);
        final Silences silences = new Silences();
        progress.add(attendance);
        progress.add(silences);
        parts = new SharedParts(progress, attendance, silences, stagingPool, counters, port,
            listener == null ? () -> { } : listener::claimsMayGoOn, this::raise);
    }

    static TcpContext open(final Device device, final TcpAddress address, final IntFunction<Device> listening)
    {
        return open(device, address, listening, new StagingPool());
    }

    /**
     * @param address     to listen at, or null.
     * @param listening   gives the device a name with the port.
     * @param stagingPool of the memory that connections send and receive with.
     */
    static TcpContext open(
        final Device device,
        final TcpAddress address,
        final IntFunction<Device> listening,
        final StagingPool stagingPool)
    {
        final Listener listener = address == null ? null : Listener.open(address);
        TcpContext context = null;
        boolean success = false;
        try
        {
            final InetSocketAddress bound = listener == null ? null : listener.address();
            // Show users and logs the port that was chosen.
            context = new TcpContext(
                bound == null ? device : listening.apply(bound.getPort()), listener,
                bound == null ? 0 : bound.getPort(),
                bound == null ? new Gid(0, 0) : TcpAddress.gid(bound.getAddress()), stagingPool);
            if (listener != null)
            {
                listener.begin(context.progress, context);
            }
            context.progress.start();
            success = true;
            return context;
        }
        catch (final IOException ex)
        {
            throw new VerbsException("open_device", Errno.EIO, "cannot listen: " + ex.getMessage(), ex);
        }
        finally
        {
            if (!success && context != null)
            {
                context.progress.abandon();
            }
            if (!success && listener != null)
            {
                listener.close();
            }
        }
    }

    @Override
    public DeviceMemory allocate(final long length, final HugePages hugePages)
    {
        return added(() -> new TcpMemory(
            PrivateMemory.allocateAsUsed(length, hugePages), this::remove, uses()::release));
    }

    @Override
    public GrowableMemory allocateGrowable(final long length, final HugePages hugePages)
    {
        return added(() -> new GrowableTcpMemory(
            GrowingMemory.of(length, hugePages, false), this::remove, uses()::release));
    }

    private <T extends TcpMemory> T added(final Supplier<T> maker)
    {
        uses().acquire();
        boolean success = false;
        try
        {
            final T memory = maker.get();
            synchronized (memories)
            {
                memories.put(memory.range().address(), memory);
            }
            success = true;
            return memory;
        }
        finally
        {
            if (!success)
            {
                uses().release();
            }
        }
    }

    /** A context that listens reports the faults of strangers. */
    @Override
    public boolean hasHardwareEvents()
    {
        return port != 0;
    }

    @Override
    public ClaimOutcome claim(final MpaStart start, final SocketChannel socket, final SelectionKey key)
    {
        final TcpTransport transport = find(start.responder());
        return transport == null ? ClaimOutcome.GONE : transport.service().claim(start, socket, key);
    }

    @Override
    public void refused(final StartFault fault, final SocketChannel socket)
    {
        counters.connectionRefused(fault);
        if (fault.text() != null)
        {
            raise(new AsyncEvent(AsyncEvent.Type.PEER_REFUSED, 0, null,
                fault.text() + ": peer=" + (socket == null ? "unknown" : Sockets.peer(socket)) +
                    " device=" + device().name()));
        }
    }

    /**
     * The progress thread serves the connections that no thread polls. Strangers cause these events, so this must not
     * walk over all connections.
     */
    @Override
    protected void progressUnattended()
    {
    }

    /**
     * @return where it listens, or 0.
     */
    int port()
    {
        return port;
    }

    Progress progress()
    {
        return progress;
    }

    StagingPool stagingPool()
    {
        return stagingPool;
    }

    Counters counters()
    {
        return counters;
    }

    /**
     * @return the transport of an open queue pair, or null.
     */
    TcpTransport find(final int number)
    {
        return (TcpTransport)transport(number);
    }

    private void remove(final TcpMemory memory)
    {
        synchronized (memories)
        {
            memories.remove(memory.range().address(), memory);
        }
    }

    @Override
    public Map<String, Long> queryFaults()
    {
        return counters.faults();
    }

    @Override
    protected Map<String, Long> deviceCounters()
    {
        return counters.all();
    }

    @Override
    protected UseCount memoryOf(final MemoryRange range)
    {
        synchronized (memories)
        {
            final Map.Entry<Long, TcpMemory> below = memories.floorEntry(range.address());
            final boolean isWithin = below != null &&
                below.getValue().range().contains(range.address() - below.getKey(), range.length());
            return isWithin ? below.getValue().uses() : foreignMemory;
        }
    }

    @Override
    protected void regionAdded(final SoftMemoryRegion region)
    {
        // The lookup happens here when peers ask.
    }

    @Override
    protected void regionRemoved(final SoftMemoryRegion region)
    {
        // As above.
    }

    @Override
    protected SoftCompletionChannel newCompletionChannel()
    {
        return new TcpCompletionChannel(this, parts.attendance());
    }

    @Override
    protected Transport newTransport(final WorkQueues queues)
    {
        return new TcpTransport(queues, parts, MAX_READS);
    }

    @Override
    protected SoftSharedReceiveQueue newSharedReceiveQueue(
        final SoftProtectionDomain domain, final int maxWorkRequests, final int maxScatterGather)
    {
        return new TcpSharedReceiveQueue(progress, domain, maxWorkRequests, maxScatterGather);
    }

    @Override
    protected int maxInline()
    {
        return MAX_INLINE;
    }

    @Override
    protected void ringForEvent()
    {
        synchronized (events)
        {
            eventRung = true;
            events.notifyAll();
        }
    }

    @Override
    protected void clearEventRing()
    {
        synchronized (events)
        {
            eventRung = false;
        }
    }

    @Override
    protected void sleepForEvent(final long timeoutNs)
    {
        final long endNs = System.nanoTime() + Math.min(timeoutNs, Long.MAX_VALUE / 2);
        boolean interrupted = false;
        synchronized (events)
        {
            for (long leftNs = timeoutNs; !eventRung && leftNs > 0; leftNs = endNs - System.nanoTime())
            {
                try
                {
                    TimeUnit.NANOSECONDS.timedWait(events, leftNs);
                }
                catch (final InterruptedException ex)
                {
                    interrupted = true;
                }
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void release()
    {
        progress.stop();
    }
}
