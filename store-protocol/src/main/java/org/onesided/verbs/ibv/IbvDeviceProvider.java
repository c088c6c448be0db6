package org.onesided.verbs.ibv;

import java.util.Comparator;
import java.util.List;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceProvider;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Offers the RDMA devices of this machine, those with an active port first.
 */
public final class IbvDeviceProvider implements DeviceProvider
{
    /** The kind's name. */
    static final String KIND = "ibv";
    /** Before all software. */
    private static final int PREFERENCE = 100;

    /**
     * For {@link java.util.ServiceLoader}.
     */
    public IbvDeviceProvider()
    {
    }

    @Override
    public String kind()
    {
        return KIND;
    }

    @Override
    public int preference()
    {
        return PREFERENCE;
    }

    /**
     * {@inheritDoc} Those that this project cannot use, such as iWARP's, are listed last and refuse to be opened.
     *
     * @throws VerbsException if the kernel has devices, and libibverbs is missing or does not list any of them.
     */
    @Override
    public List<Device> devices()
    {
        if (Sysfs.KERNEL.rdmaDevices().isEmpty())
        {
            return List.of();
        }
        final List<DeviceList.Entry> entries = entries(IbvLibrary.load());
        if (entries.isEmpty())
        {
            throw IbvErrors.noDevice("", List.of(), Sysfs.KERNEL, HostFacts.DEVICE_FILES);
        }
        return entries.stream().<Device>map((entry) -> new IbvDevice(entry.name())).toList();
    }

    @Override
    public Device device(final String argument)
    {
        final List<DeviceList.Entry> entries = entries(IbvLibrary.load());
        final List<String> names = entries.stream().map(DeviceList.Entry::name).toList();
        if (entries.isEmpty() || !argument.isEmpty() && !names.contains(argument))
        {
            throw IbvErrors.noDevice(argument, names, Sysfs.KERNEL, HostFacts.DEVICE_FILES);
        }
        if (!argument.isEmpty())
        {
            return new IbvDevice(argument);
        }
        final DeviceList.Entry first = entries.get(0);
        if (first.isUsable() && !Sysfs.KERNEL.hasActivePort(first.name()))
        {
            throw new VerbsException("get_device_list", Errno.ENODEV,
                "no RDMA device has an active port, bring a link up (for Soft-RoCE, its network interface): " +
                    "devices=" + names.stream().map((name) -> name + " " + Sysfs.KERNEL.portStates(name)).toList());
        }
        return new IbvDevice(first.name());
    }

    private static List<DeviceList.Entry> entries(final IbvLibrary library)
    {
        try (DeviceList list = new DeviceList(library))
        {
            return list.entries().stream().sorted(Comparator.comparing(IbvDeviceProvider::rank)).toList();
        }
    }

    private static int rank(final DeviceList.Entry entry)
    {
        if (!entry.isUsable())
        {
            return 2;
        }
        return Sysfs.KERNEL.hasActivePort(entry.name()) ? 0 : 1;
    }
}
