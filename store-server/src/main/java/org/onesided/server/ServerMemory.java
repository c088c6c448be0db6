package org.onesided.server;

import org.agrona.CloseHelper;
import org.onesided.verbs.Access;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.OpenDevice;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's device with the memory of its table, registered. Not thread-safe.
 */
final class ServerMemory implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerMemory.class);

    private final OpenDevice device;
    private final ProtectionDomain domain;
    private final DeviceMemory memory;
    private final MemoryRegion region;
    private final boolean hugePages;

    private ServerMemory(final OpenDevice device, final long length, final HugePages pages)
    {
        this.device = device;
        ProtectionDomain madeDomain = null;
        DeviceMemory madeMemory = null;
        MemoryRegion madeRegion = null;
        try
        {
            madeDomain = device.context().allocateProtectionDomain();
            madeMemory = device.context().allocate(length, pages);
            madeRegion = madeDomain.register(madeMemory.range(), Access.REMOTE_READ | Access.LOCAL_WRITE);
        }
        catch (final RuntimeException | Error e)
        {
            CloseHelper.quietCloseAll(madeMemory, madeDomain, device);
            throw e;
        }
        domain = madeDomain;
        memory = madeMemory;
        region = madeRegion;
        hugePages = memory.hugePages();
    }

    /**
     * Opens the device that the options name. Where the choice is left to the server, a device that cannot have so much
     * memory, most often for what this process may lock, is passed over.
     *
     * @param options of the server.
     * @param length  of the table in bytes.
     * @return device and memory; the caller closes them.
     * @throws VerbsException if there is no such device, or none has room; nothing stays open then.
     */
    static ServerMemory open(final ServerOptions options, final long length)
    {
        if (options.verbsDevice() != null)
        {
            return new ServerMemory(
                OpenDevice.open(options.verbsDevice(), options.connection(), "it was given"), length,
                options.hugePages());
        }
        final DeviceChoice choice = new DeviceChoice(options.device(), options.connection(), true);
        while (true)
        {
            final OpenDevice device = choice.open();
            try
            {
                final ServerMemory opened = new ServerMemory(device, length, options.hugePages());
                if (choice.isAuto() && !choice.passedOver().isEmpty() && options.connection().namesPath())
                {
                    LOGGER.warn("a port or GID was asked for, but the device that was chosen may not have it, name a " +
                        "device to be sure of that: device={} passed-over={}", device.name(), choice.passedOver());
                }
                return opened;
            }
            catch (final VerbsException e)
            {
                if (!choice.isAuto())
                {
                    throw e;
                }
                if (e.errno() != Errno.ENOMEM || !choice.hasNext())
                {
                    throw e.with("device_chosen=" + device.name() + " why=" + device.why());
                }
                choice.refused(e.getMessage());
            }
        }
    }

    OpenDevice device()
    {
        return device;
    }

    ProtectionDomain domain()
    {
        return domain;
    }

    DeviceMemory memory()
    {
        return memory;
    }

    /** Whether the table is in huge pages, as it was found once the memory was there. */
    boolean hugePages()
    {
        return hugePages;
    }

    MemoryRegion region()
    {
        return region;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(region, memory, domain, device);
    }
}
