package org.onesided.verbs.ibv;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.agrona.UnsafeApi;
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
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.ReservedMemory;

/**
 * An open RDMA device.
 *
 * <p>What is made from it holds a use of {@link NativeContext#uses()}: acquired here, or by a protection domain,
 * before the object's constructor runs, and released by the object when it is closed.
 */
final class IbvContext implements Context
{
    private final NativeContext context;
    private final Device device;
    private final String libraryName;
    private final IbvLibrary library;
    private final long handle;
    private final DeviceAttributes limits;
    private final AsyncEvents events;
    private final GidTable gids;
    private final UseCount uses;
    private final Map<Long, IbvCompletionQueue> completionQueues = new ConcurrentHashMap<>();
    private final IbvMemories memories = new IbvMemories();

    /** Held for reading while the native context is used, so that it is not closed then. */
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

    private IbvContext(
        final Device device,
        final String libraryName,
        final IbvLibrary library,
        final long handle,
        final DeviceAttributes limits,
        final AsyncEvents events)
    {
        this.device = device;
        this.libraryName = libraryName;
        this.library = library;
        this.handle = handle;
        this.limits = limits;
        this.events = events;
        gids = new GidTable(library, handle, libraryName, Sysfs.KERNEL);
        uses = new UseCount("close_device", device.name());
        context = new NativeContext(device, library, handle, limits, uses);
    }

    /**
     * @param device      to open.
     * @param libraryName of it.
     * @param library     that has it.
     * @return the open device.
     * @throws VerbsException with {@code ENODEV} if it is not there, {@code EACCES} if it may not be opened, or if its
     *                        memory layout is not the one that is known here.
     */
    static IbvContext open(final Device device, final String libraryName, final IbvLibrary library)
    {
        try (DeviceList list = new DeviceList(library, Sysfs.KERNEL))
        {
            final DeviceEntry entry = list.named(libraryName);
            final long handle = library.calls().ibv_open_device(entry.handle());
            if (handle == 0)
            {
                throw IbvErrors.notOpened(
                    device.name(), library.errno(), HostFacts.DEVICE_FILES.resolve(entry.deviceFile()));
            }
            boolean success = false;
            try
            {
                LayoutCheck.context(handle, entry.handle(), Sysfs.KERNEL);
                final DeviceAttributes limits = queryDevice(device, library, handle);
                LayoutCheck.attributes(limits);
                final IbvContext context = new IbvContext(
                    device, libraryName, library, handle, limits, new AsyncEvents(library, device.name(), handle));
                success = true;
                return context;
            }
            finally
            {
                if (!success)
                {
                    library.calls().ibv_close_device(handle);
                }
            }
        }
    }

    private static DeviceAttributes queryDevice(final Device device, final IbvLibrary library, final long handle)
    {
        try (NativeArray memory = new NativeArray(DeviceAttributesDescriptor.LENGTH))
        {
            final long address = memory.range().address();
            final int errno = library.calls().ibv_query_device(handle, address);
            if (errno != 0)
            {
                throw IbvErrors.failure("query_device", errno, "device=" + device.name());
            }
            return AttributeReader.device(
                address, UnsafeApi.getInt(handle + ContextDescriptor.NUM_COMP_VECTORS_OFFSET));
        }
    }

    @Override
    public Device device()
    {
        return device;
    }

    @Override
    public DeviceAttributes queryDevice()
    {
        return limits;
    }

    @Override
    public Map<String, Long> queryCounters(final int port)
    {
        return Sysfs.KERNEL.counters(libraryName, port);
    }

    @Override
    public PortAttributes queryPort(final int port)
    {
        if (port < 1 || port > limits.portCount())
        {
            throw new VerbsException("query_port", Errno.EINVAL, "the device has no such port: device=" +
                device.name() + " port=" + port + " phys_port_cnt=" + limits.portCount());
        }
        return alive(() ->
        {
            try (NativeArray memory = new NativeArray(PortAttributesDescriptor.LENGTH))
            {
                final long address = memory.range().address();
                final int errno = library.calls().ibv_query_port(handle, port, address);
                if (errno != 0)
                {
                    throw IbvErrors.failure("query_port", errno, "device=" + device.name() + " port=" + port);
                }
                return AttributeReader.port(address);
            }
        });
    }

    @Override
    public Gid queryGid(final int port, final int index)
    {
        final int length = queryPort(port).gidTableLength();
        if (index < 0 || index >= length)
        {
            throw new VerbsException("query_gid", Errno.EINVAL, "no such GID index: device=" + device.name() +
                " port=" + port + " gid_index=" + index + " gid_tbl_len=" + length);
        }
        return alive(() ->
        {
            try (NativeArray memory = new NativeArray(Gid.LENGTH))
            {
                final long address = memory.range().address();
                if (library.calls().ibv_query_gid(handle, port, index, address) != 0)
                {
                    throw IbvErrors.failure("query_gid", library.errno(),
                        "device=" + device.name() + " port=" + port + " gid_index=" + index);
                }
                return AttributeReader.gid(address);
            }
        });
    }

    @Override
    public List<GidEntry> queryGidTable(final int port)
    {
        final PortAttributes attributes = queryPort(port);
        int allPlaces = 0;
        for (int number = limits.portCount(); number > 0; number--)
        {
            allPlaces += queryPort(number).gidTableLength();
        }
        final int places = allPlaces;
        return alive(() -> gids.list(port, attributes, places));
    }

    @Override
    public DeviceMemory allocate(final long length, final HugePages hugePages)
    {
        return used(() ->
        {
            final IbvMemory memory = IbvMemory.allocate(memories::remove, uses, length, hugePages);
            memories.add(memory);
            return memory;
        });
    }

    @Override
    public GrowableMemory allocateGrowable(final long length, final HugePages hugePages)
    {
        return used(() ->
        {
            final GrowableIbvMemory memory = GrowableIbvMemory.reserve(memories::remove, uses, length, hugePages);
            memories.add(memory);
            return memory;
        });
    }

    @Override
    public DeviceMemory reserve(final long length, final HugePages hugePages)
    {
        return ReservedMemory.reserve(uses, length, hugePages);
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        return used(() -> new IbvProtectionDomain(this, context, memories));
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        return used(() -> new IbvCompletionChannel(context));
    }

    @Override
    public CompletionQueue createCompletionQueue(
        final int capacity, final CompletionChannel channel, final int vector)
    {
        if (channel != null && !(channel instanceof IbvCompletionChannel own && own.context() == context))
        {
            throw new VerbsException(
                "create_cq", Errno.EINVAL, "the channel is of another context: device=" + device.name());
        }
        return used(() ->
        {
            final IbvCompletionQueue queue =
                new IbvCompletionQueue(context, capacity, (IbvCompletionChannel)channel, vector, this::forget);
            // From now on asynchronous events can name it.
            completionQueues.put(queue.handle(), queue);
            return queue;
        });
    }

    @Override
    public AsyncEvent awaitAsyncEvent(final long timeoutNs)
    {
        life.readLock().lock();
        try
        {
            return uses.isClosed() ? null : events.await(timeoutNs, this::broken);
        }
        finally
        {
            life.readLock().unlock();
        }
    }

    @Override
    public void wakeUpAsyncWaiter()
    {
        events.wakeUp();
    }

    @Override
    public void close()
    {
        if (!uses.close())
        {
            return;
        }
        events.close();
        life.writeLock().lock();
        try
        {
            if (library.calls().ibv_close_device(handle) != 0)
            {
                throw IbvErrors.failure("close_device", library.errno(), "device=" + device.name());
            }
        }
        finally
        {
            life.writeLock().unlock();
        }
    }

    /**
     * @return what the objects made from it need of it.
     */
    NativeContext nativeContext()
    {
        return context;
    }

    /** Forgets a completion queue, after it was destroyed. Another may have its address by then, and stays known. */
    private void forget(final IbvCompletionQueue queue)
    {
        completionQueues.remove(queue.handle(), queue);
    }

    /**
     * Calls the library while the context is open, and keeps it open until the call is over.
     */
    private <T> T alive(final Supplier<T> call)
    {
        life.readLock().lock();
        try
        {
            if (uses.isClosed())
            {
                throw new VerbsException("use", Errno.EINVAL, device.name() + " is closed already");
            }
            return call.get();
        }
        finally
        {
            life.readLock().unlock();
        }
    }

    /**
     * The only event that names a completion queue is that it is broken.
     */
    private IbvCompletionQueue broken(final long queue)
    {
        final IbvCompletionQueue completionQueue = completionQueues.get(queue);
        if (completionQueue != null)
        {
            completionQueue.onBroken();
        }
        return completionQueue;
    }

    /**
     * Makes an object; takes back the use that was begun for it if that fails.
     */
    private <T> T used(final Supplier<T> maker)
    {
        uses.acquire();
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
                uses.release();
            }
        }
    }
}
