package org.onesided.verbs;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * Opens the device that was named or, for {@link #AUTO}, the best there is: each kind in the order of preference,
 * passing over those that are not here, cannot be used, or do not reach the peer. Not thread-safe.
 */
public final class DeviceChoice
{
    /** Stands for the best device there is. */
    public static final String AUTO = "auto";

    private final String name;
    private final ConnectionOptions options;
    private final boolean isPeerLocal;
    private final Deque<DeviceProvider> untried = new ArrayDeque<>();
    private final StringJoiner passedOver = new StringJoiner("; ");
    private String kind;

    /**
     * @param name        of the device: {@code kind}, {@code kind:argument}, or {@link #AUTO}.
     * @param options     port and GID, where they are given.
     * @param isPeerLocal whether the peer is on this host, so that any kind of device reaches it.
     * @throws VerbsException with {@code EINVAL} if there is no such kind, {@code EPERM} if this virtual machine was
     *                        started without the flag that raw memory needs.
     */
    public DeviceChoice(final String name, final ConnectionOptions options, final boolean isPeerLocal)
    {
        this(name, options, isPeerLocal, Devices.providers());
    }

    DeviceChoice(
        final String name,
        final ConnectionOptions options,
        final boolean isPeerLocal,
        final List<DeviceProvider> providers)
    {
        Devices.checkRawMemory();
        this.name = name;
        this.options = options;
        this.isPeerLocal = isPeerLocal;
        for (final DeviceProvider provider : providers)
        {
            if (isAuto() ? provider.preference() >= 0 : provider.kind().equals(OpenDevice.kind(name)))
            {
                untried.add(provider);
            }
        }
        if (untried.isEmpty())
        {
            throw new VerbsException("get_device_list", Errno.EINVAL, "no such device: device=" + name +
                ", there are: " +
                Stream.concat(Stream.of(AUTO), providers.stream().map(DeviceProvider::kind)).toList());
        }
    }

    /**
     * @return whether the choice is open.
     */
    public boolean isAuto()
    {
        return AUTO.equals(name);
    }

    /**
     * @return whether there are kinds that were not tried yet, so that {@link #open} may succeed once more.
     */
    public boolean hasNext()
    {
        return !untried.isEmpty();
    }

    /**
     * Passes over the device that was opened last: the peer has another.
     *
     * @param reason in words that may follow the kind's name and a colon.
     */
    public void refused(final String reason)
    {
        passedOver.add(kind + ": " + reason);
    }

    /**
     * @return which kinds were passed over, and why; empty if none.
     */
    public String passedOver()
    {
        return passedOver.toString();
    }

    /**
     * Opens the next device that can be used. Of a kind without an argument it is the first whose port is active.
     *
     * @return the open device; the caller closes it.
     * @throws VerbsException if there is none; the message says why, for each.
     */
    public OpenDevice open()
    {
        while (!untried.isEmpty())
        {
            final DeviceProvider provider = untried.remove();
            kind = provider.kind();
            final OpenDevice opened = isAuto() ? openIfUsable(provider) : openNamed(provider);
            if (opened != null)
            {
                return opened;
            }
        }
        throw new VerbsException("open_device", Errno.ENODEV, (isPeerLocal ?
            "no device can be used" : "no device reaches the other host, it takes RDMA devices with active ports") +
            ", 'kvctl rdma doctor' tells what is missing here: " + passedOver);
    }

    private OpenDevice openNamed(final DeviceProvider provider)
    {
        final int colon = name.indexOf(':');
        final List<Device> devices = colon < 0 ? provider.devices() : List.of();
        if (devices.size() < 2)
        {
            final Device device = provider.device(colon < 0 ? "" : name.substring(colon + 1));
            return OpenDevice.open(device, options, "it was asked for");
        }
        final OpenDevice opened = openFirst(devices);
        if (opened == null)
        {
            throw new VerbsException("open_device", Errno.ENODEV,
                "no device of this kind can be used: device=" + name + ": " + passedOver);
        }
        return opened;
    }

    private OpenDevice openIfUsable(final DeviceProvider provider)
    {
        if (!isPeerLocal && !provider.reachesOtherHosts())
        {
            passedOver.add(kind + ": reaches this host only");
            return null;
        }
        try
        {
            final List<Device> devices = provider.devices();
            if (devices.isEmpty())
            {
                passedOver.add(kind + ": no device here");
            }
            return openFirst(devices);
        }
        catch (final VerbsException e)
        {
            passedOver.add(kind + ": " + e.getMessage());
            return null;
        }
    }

    private OpenDevice openFirst(final List<Device> devices)
    {
        for (final Device device : devices)
        {
            try
            {
                return OpenDevice.open(device, options, why());
            }
            catch (final VerbsException e)
            {
                passedOver.add(device.name() + ": " + e.getMessage());
            }
        }
        return null;
    }

    private String why()
    {
        final String why = "the first that can be used";
        return passedOver.length() == 0 ? why : why + " (" + passedOver + ")";
    }
}
