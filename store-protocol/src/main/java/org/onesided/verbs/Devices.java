package org.onesided.verbs;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.agrona.UnsafeApi;

/**
 * Finds devices by name.
 */
public final class Devices
{
    /** To look for them means to read the class path: a process does so once. */
    private static volatile List<DeviceProvider> providers;

    private Devices()
    {
    }

    /**
     * Finds a device by {@code kind} or {@code kind:argument}.
     *
     * @param name such as {@code shm} or {@code ibv:mlx5_0}.
     * @return the device.
     * @throws VerbsException with {@code EINVAL} if there is no such kind, {@code ENODEV} if there is none of that
     * name, {@code EPERM} if this virtual machine was started without the flag that raw memory needs.
     */
    public static Device find(final String name)
    {
        final int colon = name.indexOf(':');
        return provider(colon < 0 ? name : name.substring(0, colon), name)
            .device(colon < 0 ? "" : name.substring(colon + 1));
    }

    /**
     * Finds all devices of one kind.
     *
     * @param kind such as {@code shm} or {@code ibv}.
     * @return what offers them.
     * @throws VerbsException with {@code EINVAL} if there is no such kind, {@code EPERM} if this virtual machine was
     *                        started without the flag that raw memory needs.
     */
    public static DeviceProvider provider(final String kind)
    {
        return provider(kind, kind);
    }

    /**
     * Calls {@link DeviceProvider#retireLeftovers} of all kinds.
     */
    public static void retireLeftovers()
    {
        checkRawMemory();
        providers().forEach(DeviceProvider::retireLeftovers);
    }

    private static DeviceProvider provider(final String kind, final String name)
    {
        checkRawMemory();
        final List<String> kinds = new ArrayList<>();
        for (final DeviceProvider provider : providers())
        {
            if (provider.kind().equals(kind))
            {
                return provider;
            }
            kinds.add(provider.kind());
        }
        throw new VerbsException(
            "get_device_list", Errno.EINVAL, "no such device: device=" + name + ", there are: " + kinds);
    }

    /**
     * Determines where a device of that name would listen for its peers.
     *
     * @param name of the device.
     * @return the address; null if it does not listen, or is to be told elsewhere where to.
     * @throws VerbsException as {@link #find} does.
     */
    public static InetAddress listenAddress(final String name)
    {
        final String kind = OpenDevice.kind(name);
        return provider(kind, name).listenAddress(name.substring(Math.min(name.length(), kind.length() + 1)));
    }

    /**
     * @param kind of devices.
     * @return whether they can talk to other hosts; true for a kind that is not known.
     */
    public static boolean reachOtherHosts(final String kind)
    {
        return providers().stream()
            .filter((provider) -> provider.kind().equals(kind))
            .allMatch(DeviceProvider::reachesOtherHosts);
    }

    /**
     * @return what offers devices, one for each kind, that preferred most first.
     */
    static List<DeviceProvider> providers()
    {
        List<DeviceProvider> found = providers;
        if (found == null)
        {
            found = new ArrayList<>();
            ServiceLoader.load(DeviceProvider.class, Devices.class.getClassLoader()).forEach(found::add);
            providers = found;
        }
        return found.stream().sorted(Comparator.comparingInt(DeviceProvider::preference).reversed()).toList();
    }

    static void checkRawMemory()
    {
        try
        {
            UnsafeApi.loadFence();
        }
        catch (final LinkageError ex)
        {
            throw new VerbsException("get_device_list", Errno.EPERM,
                "raw memory is out of reach, start Java with --add-exports java.base/jdk.internal.misc=ALL-UNNAMED: " +
                    "java=" + System.getProperty("java.version"), ex);
        }
    }
}
