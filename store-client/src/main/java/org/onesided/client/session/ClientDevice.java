package org.onesided.client.session;

import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.verbs.Access;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.DeviceWatch;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.OpenDevice;
import org.onesided.verbs.ProtectionDomain;

/**
 * A client's device and its own protection domain, for its sessions. Clients may share the device. The last user closes
 * it. Thread-safe.
 */
public final class ClientDevice
{
    /** Room for two values of maximum length and for scans. */
    private static final long LARGE_BUFFER_LIMIT = 160L << 20;
    /** Room for one value of maximum length and for scans. */
    private static final long LARGE_BUFFER_KEEP_LIMIT = 72L << 20;

    private final Resources resources = new Resources();
    private final AtomicInteger users = new AtomicInteger(1);
    private final HugePages hugePages;
    private final SharedDevice device;
    private final ProtectionDomain domain;
    private final LargeBuffers largeBuffers;

    private ClientDevice(final SharedDevice device, final HugePages hugePages, final int maxSessions)
    {
        this.hugePages = hugePages;
        this.device = device;
        resources.add(() -> device.release(maxSessions));
        try
        {
            domain = resources.add(context().allocateProtectionDomain());
            largeBuffers = resources.add(new LargeBuffers(
                context(), domain, hugePages, LARGE_BUFFER_LIMIT, LARGE_BUFFER_KEEP_LIMIT));
        }
        catch (final RuntimeException | Error e)
        {
            resources.close();
            throw e;
        }
    }

    /**
     * Opens a device for its first user.
     *
     * @param choice      of the device.
     * @param hugePages   whether buffers are in huge pages.
     * @param maxSessions of the client's pool.
     * @return the device, retained for that user.
     * @throws org.onesided.verbs.VerbsException if there is no such device, or it cannot be used.
     */
    public static ClientDevice open(final DeviceChoice choice, final HugePages hugePages, final int maxSessions)
    {
        return new ClientDevice(SharedDevice.open(choice, maxSessions), hugePages, maxSessions);
    }

    /**
     * Lets a listener hear of asynchronous events until the device is closed. Called once, by the first user.
     *
     * @param listener hears of them.
     */
    public void watch(final DeviceWatch.Listener listener)
    {
        device.watch(listener);
        resources.add(() -> device.unwatch(listener));
    }

    /** Adds a user, who calls {@link #release} once; false if the device is closed. */
    boolean tryRetain()
    {
        return users.updateAndGet(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Removes a user. The last one closes the device. */
    public void release()
    {
        if (users.decrementAndGet() == 0)
        {
            resources.close();
        }
    }

    /**
     * @return device and path, and whether they can be used now.
     */
    public OpenDevice device()
    {
        return device.device();
    }

    Context context()
    {
        return device.device().context();
    }

    ProtectionDomain domain()
    {
        return domain;
    }

    /** Registered memory that READs may write to; freed with the resources. */
    RegisteredBuffer register(final Resources owner, final long length)
    {
        final DeviceMemory memory = owner.add(context().allocate(length, hugePages));
        final MemoryRegion region = owner.add(domain.register(memory.range(), Access.LOCAL_WRITE));
        return new RegisteredBuffer(memory.range(), region.localKey(), region.remoteKey());
    }

    LargeBuffers largeBuffers()
    {
        return largeBuffers;
    }
}
