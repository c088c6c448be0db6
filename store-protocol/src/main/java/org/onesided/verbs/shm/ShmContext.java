package org.onesided.verbs.shm;

import static org.onesided.verbs.shm.RegionEntryDescriptor.*;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.agrona.UnsafeApi;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.DeviceIdentity;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.GrowableMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.PortState;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;
import org.onesided.verbs.soft.RegionTable;
import org.onesided.verbs.soft.SoftCompletionChannel;
import org.onesided.verbs.soft.SoftContext;
import org.onesided.verbs.soft.SoftMemoryRegion;
import org.onesided.verbs.soft.SoftProtectionDomain;
import org.onesided.verbs.soft.SoftSharedReceiveQueue;
import org.onesided.verbs.soft.Transport;
import org.onesided.verbs.soft.WorkQueues;

/**
 * An open shared-memory device: a directory of files, and views of the peers' directories.
 */
final class ShmContext extends SoftContext
{
    private static final int MAX_INLINE = 1024;
    private static final int MAX_SHARED_REQUESTS = 32768;
    private static final DeviceAttributes LIMITS = new DeviceAttributes(
        DeviceIdentity.SOFTWARE, 65536, 16384, 32, 65536, 1 << 22, RegionTable.CAPACITY, 1L << 46, 65536, 128, 128,
        4096, MAX_SHARED_REQUESTS, 32, 1, true, 1);
    private static final PortAttributes PORT =
        new PortAttributes(PortState.ACTIVE, "shm", 4096, 4096, FrameDescriptor.MAX_MESSAGE_LENGTH, 0, 1, 0, 0);

    private final ContextDirectory directory;
    private final int lifeFd;
    private final Bell events;
    private final LifeWatcher watcher;
    /** Memory by address. */
    private final TreeMap<Long, ShmMemory> memories = new TreeMap<>();
    private final Peers peers;

    private ShmContext(
        final Device device, final ContextDirectory directory, final int lifeFd, final Bell events)
    {
        super(device, LIMITS, PORT, directory.gid());
        this.directory = directory;
        this.lifeFd = lifeFd;
        this.events = events;
        watcher = new LifeWatcher(
            this::peerGone, this::quiesceQueuePairs,
            () -> raise(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0)),
            "shm-life-watcher-" + directory.path().getFileName());
        peers = new Peers(watcher);
    }

    static ShmContext open(final Device device)
    {
        final ContextDirectory directory = ContextDirectory.create();
        int lifeFd = -1;
        try
        {
            lifeFd = directory.createFifo(FileNames.LIFE);
            return new ShmContext(device, directory, lifeFd, new Bell(directory.createFifo(FileNames.EVENTS)));
        }
        catch (final RuntimeException ex)
        {
            Posix.close(lifeFd);
            directory.close();
            throw ex;
        }
    }

    @Override
    public DeviceMemory allocate(final long length, final HugePages hugePages)
    {
        return added(length, (number) -> new ShmMemory(
            this::remove, number,
            SharedFile.create(directory, FileNames.memory(number), length, hugePages), length));
    }

    @Override
    public GrowableMemory allocateGrowable(final long length, final HugePages hugePages)
    {
        return added(length, (number) -> new GrowableShmMemory(
            this::remove, number,
            SparseFile.create(directory, FileNames.memory(number), length, hugePages), length));
    }

    private <T extends ShmMemory> T added(final long length, final IntFunction<T> maker)
    {
        if (length <= 0)
        {
            throw new VerbsException("allocate", Errno.EINVAL, "length must be at least 1: length=" + length);
        }
        uses().acquire();
        try
        {
            final T memory = maker.apply(nextObjectNumber());
            synchronized (memories)
            {
                memories.put(memory.range().address(), memory);
            }
            return memory;
        }
        catch (final RuntimeException ex)
        {
            uses().release();
            throw ex;
        }
    }

    /** Peers map the file and copy by themselves, so nothing in this process touches what does not exist. */
    @Override
    public boolean registersOnDemand()
    {
        return true;
    }

    @Override
    protected UseCount memoryOf(final MemoryRange range)
    {
        final ShmMemory memory = find(range);
        return memory == null ? null : memory.uses();
    }

    @Override
    protected void regionTableGrows()
    {
        directory.reserveAllRegions();
    }

    @Override
    protected void regionAdded(final SoftMemoryRegion region)
    {
        final ShmMemory memory = find(region.range());
        final long entry = directory.controlAddress() + ControlDescriptor.entryOffset(region.remoteKey());
        UnsafeApi.putInt(entry + ACCESS_OFFSET, region.access());
        UnsafeApi.putInt(entry + DOMAIN_OFFSET, region.protectionDomain().number());
        UnsafeApi.putInt(entry + FILE_OFFSET, memory.number());
        UnsafeApi.putLong(entry + ADDRESS_OFFSET, region.range().address());
        UnsafeApi.putLong(entry + LENGTH_OFFSET, region.range().length());
        UnsafeApi.putLong(entry + OFFSET_IN_FILE_OFFSET, region.range().address() - memory.range().address());
        UnsafeApi.putIntVolatile(null, entry + KEY_OFFSET, region.remoteKey());
    }

    @Override
    protected void regionRemoved(final SoftMemoryRegion region)
    {
        final long key = directory.controlAddress() + ControlDescriptor.entryOffset(region.remoteKey()) + KEY_OFFSET;
        UnsafeApi.compareAndSetInt(null, key, region.remoteKey(), 0);
    }

    @Override
    protected SoftCompletionChannel newCompletionChannel()
    {
        return new ShmCompletionChannel(this, directory, nextObjectNumber());
    }

    @Override
    protected Transport newTransport(final WorkQueues queues)
    {
        if (queues.initAttributes().untrustedPeer() && queues.sharedReceives() != null)
        {
            throw new VerbsException("create_qp", Errno.EOPNOTSUPP,
                "a shared receive queue cannot be offered to an untrusted peer, use receives of the queue pair's own");
        }
        return new ShmTransport(queues, new Rendezvous(directory, peers, this::nextObjectNumber, queues));
    }

    @Override
    protected SoftSharedReceiveQueue newSharedReceiveQueue(
        final SoftProtectionDomain domain, final int maxWorkRequests, final int maxScatterGather)
    {
        return new ShmSharedReceiveQueue(
            directory, this::isConnected, domain, nextObjectNumber(), maxWorkRequests, maxScatterGather);
    }

    @Override
    protected int maxInline()
    {
        return MAX_INLINE;
    }

    @Override
    protected void ringForEvent()
    {
        events.ring();
    }

    @Override
    protected void clearEventRing()
    {
        events.clear();
    }

    @Override
    protected void sleepForEvent(final long timeoutNs)
    {
        events.await(timeoutNs);
    }

    @Override
    protected void release()
    {
        watcher.stop();
        events.close();
        directory.close();
        Posix.close(lifeFd);
    }

    /** Whether there is such a queue pair and it is connected. */
    private boolean isConnected(final int queuePairNumber)
    {
        return transport(queuePairNumber) instanceof ShmTransport transport && transport.isConnected();
    }

    private void remove(final ShmMemory memory)
    {
        synchronized (memories)
        {
            memories.remove(memory.range().address(), memory);
        }
        directory.unlink(FileNames.memory(memory.number()));
        uses().release();
    }

    private void peerGone(final PeerContext peer)
    {
        forEachTransport((transport) -> ((ShmTransport)transport).peerGone(peer));
    }

    private ShmMemory find(final MemoryRange range)
    {
        synchronized (memories)
        {
            final Map.Entry<Long, ShmMemory> below = memories.floorEntry(range.address());
            final boolean isWithin = below != null &&
                below.getValue().range().contains(range.address() - below.getKey(), range.length());
            return isWithin ? below.getValue() : null;
        }
    }
}
