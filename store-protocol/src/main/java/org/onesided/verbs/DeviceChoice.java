package org.onesided.verbs;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * Opens the named device: of several, the first usable one; for {@link #AUTO}, the best one, trying the kinds in order
 * of preference. It skips kinds that are missing, unusable, or unable to reach the peer. Not thread-safe.
 */
public final class DeviceChoice
{
    /** Stands for the best device there is. */
    public static final String AUTO = "auto";

    /** Opens a device, or finds it open. */
    @FunctionalInterface
    public interface Opener
    {
        /**
         * @param device  to open.
         * @param options port and GID, where they are given.
         * @param why     it was chosen, in words that may follow a colon.
         * @return the open device; the caller gives it back as the opener wants it.
         * @throws VerbsException as {@link OpenDevice#open} does.
         */
        OpenDevice open(Device device, ConnectionOptions options, String why);
    }

    /**
     * What may be opened.
     *
     * @param provider of the kind.
     * @param argument that was named with it, or empty.
     */
    private record Candidate(DeviceProvider provider, String argument)
    {
    }

    private final String name;
    private final boolean isFixed;
    private final ConnectionOptions options;
    private final boolean isPeerLocal;
    private final String listenHost;
    private final Deque<Candidate> untried = new ArrayDeque<>();
    private final StringJoiner passedOver = new StringJoiner("; ");
    private String kind;

    /**
     * @param name        of the device: {@code kind}, {@code kind:argument}, several of them with commas between, or
     *                    {@link #AUTO}.
     * @param options     port and GID, where they are given.
     * @param isPeerLocal whether the peer is on this host, so that any kind of device reaches it.
     * @throws VerbsException with {@code EINVAL} if there is no such kind, {@code EPERM} if this virtual machine was
     *                        started without the flag that raw memory needs.
     */
    public DeviceChoice(final String name, final ConnectionOptions options, final boolean isPeerLocal)
    {
        this(name, options, isPeerLocal, null, Devices.providers());
    }

    DeviceChoice(
        final String name,
        final ConnectionOptions options,
        final boolean isPeerLocal,
        final String listenHost,
        final List<DeviceProvider> providers)
    {
        Devices.checkRawMemory();
        this.name = name;
        this.options = options;
        this.isPeerLocal = isPeerLocal;
        this.listenHost = listenHost;
        final List<String> names = DeviceNames.parse(name);
        isFixed = names.size() == 1 && !isAuto();
        if (isAuto())
        {
            providers.stream().filter((provider) -> provider.preference() >= 0)
                .forEach((provider) -> untried.add(new Candidate(provider, "")));
        }
        else
        {
            names.forEach((each) -> untried.add(named(each, providers)));
        }
    }

    /**
     * Chooses the device of a server.
     *
     * @param name       of the device, as in the constructor.
     * @param options    port and GID, where they are given.
     * @param listenHost that the server listens on: devices that listen by themselves do so there, on any port, unless
     *                   they are named with an address of their own.
     * @param isLocal    whether only peers on this host can get there.
     * @return the choice.
     * @throws VerbsException as the constructor does.
     */
    public static DeviceChoice toServe(
        final String name, final ConnectionOptions options, final String listenHost, final boolean isLocal)
    {
        return new DeviceChoice(name, options, isLocal, listenHost, Devices.providers());
    }

    private static Candidate named(final String name, final List<DeviceProvider> providers)
    {
        final String kind = OpenDevice.kind(name);
        for (final DeviceProvider provider : providers)
        {
            if (provider.kind().equals(kind))
            {
                return new Candidate(provider, name.substring(Math.min(name.length(), kind.length() + 1)));
            }
        }
        throw new VerbsException("get_device_list", Errno.EINVAL, "no such device: device=" + name +
            ", there are: " +
            Stream.concat(Stream.of(AUTO), providers.stream().map(DeviceProvider::kind)).toList());
    }

    /**
     * @return whether the choice is open.
     */
    public boolean isAuto()
    {
        return AUTO.equals(name);
    }

    /**
     * @return whether one device was named, and nothing else will do.
     */
    public boolean isFixed()
    {
        return isFixed;
    }

    /**
     * Passes over all kinds that the server does not offer.
     *
     * @param names of the devices that it does.
     */
    public void keep(final Collection<String> names)
    {
        final List<String> kinds = names.stream().map(OpenDevice::kind).toList();
        untried.removeIf((candidate) ->
        {
            final boolean isLacking = !kinds.contains(candidate.provider().kind());
            if (isLacking)
            {
                passedOver.add(candidate.provider().kind() + ": the server offers " + names);
            }
            return isLacking;
        });
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
        return open(OpenDevice::open);
    }

    /**
     * As {@link #open()}.
     *
     * @param opener opens the devices that are tried.
     * @return the open device, as the opener gave it.
     * @throws VerbsException if there is none; the message says why, for each.
     */
    public OpenDevice open(final Opener opener)
    {
        while (!untried.isEmpty())
        {
            final Candidate candidate = untried.remove();
            kind = candidate.provider().kind();
            final OpenDevice opened = isFixed ? openNamed(candidate, opener) : openIfUsable(candidate, opener);
            if (opened != null)
            {
                return opened;
            }
        }
        throw new VerbsException("open_device", Errno.ENODEV, (isPeerLocal ?
            "no device can be used" : "no device that can be used reaches the other host") +
            ", 'kvctl rdma doctor' lists what is missing: " + passedOver);
    }

    private OpenDevice openNamed(final Candidate candidate, final Opener opener)
    {
        final String argument = argument(candidate);
        final List<Device> devices = argument.isEmpty() ? candidate.provider().devices() : List.of();
        if (devices.size() < 2)
        {
            return opener.open(candidate.provider().device(argument), options, "it was asked for");
        }
        final OpenDevice opened = openFirst(devices, opener);
        if (opened == null)
        {
            throw new VerbsException("open_device", Errno.ENODEV,
                "no device of this kind can be used: device=" + name + ": " + passedOver);
        }
        return opened;
    }

    /** The named argument; else the server's listen address, if the device needs one; else empty. */
    private String argument(final Candidate candidate)
    {
        final String listen = listenHost == null ? null : candidate.provider().listenArgument(listenHost);
        return candidate.argument().isEmpty() && listen != null ? listen : candidate.argument();
    }

    private OpenDevice openIfUsable(final Candidate candidate, final Opener opener)
    {
        if (!isPeerLocal && !candidate.provider().reachesOtherHosts())
        {
            passedOver.add(kind + ": reaches this host only");
            return null;
        }
        try
        {
            final String argument = argument(candidate);
            final DeviceProvider provider = candidate.provider();
            final List<Device> devices =
                argument.isEmpty() ? provider.devices() : List.of(provider.device(argument));
            if (devices.isEmpty())
            {
                passedOver.add(kind + ": no device here");
            }
            return openFirst(devices, opener);
        }
        catch (final VerbsException e)
        {
            passedOver.add(kind + ": " + e.getMessage());
            return null;
        }
    }

    private OpenDevice openFirst(final List<Device> devices, final Opener opener)
    {
        for (final Device device : devices)
        {
            try
            {
                return opener.open(device, options, why());
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
