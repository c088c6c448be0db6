package org.onesided.verbs.ibv;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
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
import org.onesided.verbs.HugePages;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;

/**
 * An open RDMA device.
 *
 * <p>What is made from it holds a use of {@link #uses()}: acquired here, or by a protection domain, before the object's
 * constructor runs, and released by the object when it is closed.
 */
final class IbvContext implements Context
{
    private final IbvDevice device;
    private final IbvLibrary library;
    private final long handle;
    private final UseCount uses;
    private final Map<Long, IbvCompletionQueue> completionQueues = new ConcurrentHashMap<>();
    private final IbvMemories memories = new IbvMemories();

    /** Held for reading while the native context is used, so that it is not closed then. */
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

    private IbvContext(final IbvDevice device, final IbvLibrary library, final long handle)
    {
        this.device = device;
        this.library = library;
        this.handle = handle;
        uses = new UseCount("close_device", device.name());
    }

    /**
     * @param device  to open.
     * @param library that has it.
     * @return the open device.
     * @throws VerbsException with {@code ENODEV} if it is not there, {@code EACCES} if it may not be opened, or if its
     *                        memory layout is not the one that is known here.
     */
    static IbvContext open(final IbvDevice device, final IbvLibrary library)
    {
        return new IbvContext(device, library, 0);
    }

    @Override
    public Device device()
    {
        return device;
    }

    @Override
    public DeviceAttributes queryDevice()
    {
        return null;
    }

    @Override
    public PortAttributes queryPort(final int port)
    {
        return null;
    }

    @Override
    public Gid queryGid(final int port, final int index)
    {
        return null;
    }

    @Override
    public List<GidEntry> queryGidTable(final int port)
    {
        return List.of();
    }

    @Override
    public DeviceMemory allocate(final long length, final HugePages hugePages)
    {
        return used(() -> IbvMemory.allocate(this, length, hugePages));
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        return used(() -> new IbvProtectionDomain(this));
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        return used(() -> new IbvCompletionChannel(this));
    }

    @Override
    public CompletionQueue createCompletionQueue(
        final int capacity, final CompletionChannel channel, final int vector)
    {
        if (channel != null && !(channel instanceof IbvCompletionChannel))
        {
            throw new VerbsException(
                "create_cq", Errno.EINVAL, "the channel is another device's: device=" + device.name());
        }
        return used(() -> new IbvCompletionQueue(this, capacity, (IbvCompletionChannel)channel, vector));
    }

    @Override
    public AsyncEvent awaitAsyncEvent(final long timeoutNs)
    {
        return null;
    }

    @Override
    public void close()
    {
        if (uses.close())
        {
            life.writeLock().lock();
            life.writeLock().unlock();
        }
    }

    /**
     * @return address of the {@code ibv_context}, good while something made from this is open.
     */
    long handle()
    {
        return handle;
    }

    /**
     * @return the library that opened it.
     */
    IbvLibrary library()
    {
        return library;
    }

    /**
     * @return counts what was made from this context.
     */
    UseCount uses()
    {
        return uses;
    }

    /**
     * @return the open memories.
     */
    IbvMemories memories()
    {
        return memories;
    }

    /**
     * Makes a completion queue known, so that asynchronous events can name it.
     *
     * @param queue open.
     */
    void add(final IbvCompletionQueue queue)
    {
        completionQueues.put(queue.handle(), queue);
    }

    /**
     * Forgets a completion queue, after it was destroyed. Another may have its address by then, and stays known.
     *
     * @param queue destroyed.
     */
    void remove(final IbvCompletionQueue queue)
    {
        completionQueues.remove(queue.handle(), queue);
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
