package org.onesided.verbs.ibv;

import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;

/**
 * The devices that libibverbs has drivers for (ibv_get_device_list(3)). Not thread-safe.
 */
final class DeviceList implements AutoCloseable
{
    private final IbvLibrary library;
    private final Sysfs kernel;
    private final long list;
    private final List<DeviceEntry> entries = new ArrayList<>();

    /**
     * @param library to ask.
     * @param kernel  that has the devices.
     * @throws org.onesided.verbs.VerbsException if it cannot tell.
     */
    DeviceList(final IbvLibrary library, final Sysfs kernel)
    {
        this.library = library;
        this.kernel = kernel;
        final int count;
        try (NativeArray memory = new NativeArray(Integer.BYTES))
        {
            list = library.calls().ibv_get_device_list(memory.range().address());
            // This error means that the kernel's verbs module is not loaded.
            if (list == 0 && library.errno() != Errno.ENOSYS)
            {
                throw IbvErrors.failure("get_device_list", library.errno(), "library=" + IbvLibrary.NAME);
            }
            count = list == 0 ? 0 : UnsafeApi.getInt(memory.range().address());
        }
        boolean success = false;
        try
        {
            for (int i = 0; i < count; i++)
            {
                final long device = UnsafeApi.getLong(list + (long)i * Long.BYTES);
                final String name = library.calls().ibv_get_device_name(device);
                LayoutCheck.device(device, name, kernel);
                entries.add(new DeviceEntry(
                    name,
                    device,
                    UnsafeApi.getInt(device + DeviceDescriptor.NODE_TYPE_OFFSET),
                    UnsafeApi.getInt(device + DeviceDescriptor.TRANSPORT_TYPE_OFFSET),
                    AttributeReader.text(device + DeviceDescriptor.DEV_NAME_OFFSET, DeviceDescriptor.NAME_LENGTH)));
            }
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

    /**
     * @return the devices, in the library's order.
     */
    List<DeviceEntry> entries()
    {
        return entries;
    }

    /**
     * @param name of a device.
     * @return the device.
     * @throws org.onesided.verbs.VerbsException with {@code ENODEV} if it is not listed, {@code EOPNOTSUPP} if it is
     *                                           neither InfiniBand nor RoCE.
     */
    DeviceEntry named(final String name)
    {
        for (final DeviceEntry entry : entries)
        {
            if (entry.name().equals(name))
            {
                if (!entry.isUsable())
                {
                    throw IbvErrors.unusable(entry);
                }
                return entry;
            }
        }
        throw IbvErrors.noDevice(
            name, entries.stream().map(DeviceEntry::name).toList(), kernel, HostFacts.DEVICE_FILES);
    }

    /**
     * Frees the list. Devices that were opened stay open.
     */
    @Override
    public void close()
    {
        if (list != 0)
        {
            library.calls().ibv_free_device_list(list);
        }
    }
}
