package org.onesided.verbs.ibv;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceProvider;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Offers the RDMA devices of this machine, those with an active port first.
 */
public final class IbvDeviceProvider implements DeviceProvider
{
    /** Above all software devices. */
    private static final int PREFERENCE = 100;

    private static final int ACTIVE_RANK = 0;
    private static final int INACTIVE_RANK = 1;
    private static final int UNUSABLE_RANK = 2;

    private final Sysfs kernel;
    private final Path deviceFiles;
    private final Supplier<IbvLibrary> library;

    /**
     * For {@link java.util.ServiceLoader}.
     */
    public IbvDeviceProvider()
    {
        this(Sysfs.KERNEL, HostFacts.DEVICE_FILES, IbvLibrary::load);
    }

    /**
     * @param kernel      lists the devices.
     * @param deviceFiles directory of their files.
     * @param library     loads the library.
     */
    IbvDeviceProvider(final Sysfs kernel, final Path deviceFiles, final Supplier<IbvLibrary> library)
    {
        this.kernel = kernel;
        this.deviceFiles = deviceFiles;
        this.library = library;
    }

    @Override
    public String kind()
    {
        return IbvLibrary.KIND;
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
        if (kernel.rdmaDevices().isEmpty())
        {
            return List.of();
        }
        final List<DeviceEntry> entries = entries();
        if (entries.isEmpty())
        {
            throw noDevice("", List.of());
        }
        return entries.stream().<Device>map((entry) -> new IbvDevice(entry.name())).toList();
    }

    @Override
    public Device device(final String argument)
    {
        if (kernel.rdmaDevices().isEmpty())
        {
            throw noDevice(argument, List.of());
        }
        final List<DeviceEntry> entries = entries();
        final List<String> names = entries.stream().map(DeviceEntry::name).toList();
        if (entries.isEmpty() || !argument.isEmpty() && !names.contains(argument))
        {
            throw noDevice(argument, names);
        }
        if (!argument.isEmpty())
        {
            return new IbvDevice(argument);
        }
        final DeviceEntry first = entries.get(0);
        if (!first.isUsable())
        {
            throw IbvErrors.unusable(first);
        }
        if (!kernel.hasActivePort(first.name()))
        {
            throw new VerbsException("get_device_list", Errno.ENODEV,
                "no RDMA device has an active port, bring a link up (for Soft-RoCE, its network interface): " +
                    "devices=" + names.stream().map((name) -> name + " " + kernel.portStates(name)).toList());
        }
        return new IbvDevice(first.name());
    }

    private VerbsException noDevice(final String wanted, final List<String> listed)
    {
        return IbvErrors.noDevice(wanted, listed, kernel, deviceFiles);
    }

    private List<DeviceEntry> entries()
    {
        try (DeviceList list = new DeviceList(library.get(), kernel))
        {
            return list.entries().stream().sorted(Comparator.comparing(this::rank)).toList();
        }
    }

    private int rank(final DeviceEntry entry)
    {
        if (!entry.isUsable())
        {
            return UNUSABLE_RANK;
        }
        return kernel.hasActivePort(entry.name()) ? ACTIVE_RANK : INACTIVE_RANK;
    }
}
