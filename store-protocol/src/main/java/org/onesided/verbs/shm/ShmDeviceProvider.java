package org.onesided.verbs.shm;

import java.util.List;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceProvider;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Offers the shared-memory device on Linux.
 */
public final class ShmDeviceProvider implements DeviceProvider
{
    /** The kind's name. */
    static final String KIND = "shm";
    /** Behind hardware, whose reach is longer; before what a network carries in software. */
    private static final int PREFERENCE = 50;

    /**
     * For {@link java.util.ServiceLoader}.
     */
    public ShmDeviceProvider()
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

    @Override
    public boolean reachesOtherHosts()
    {
        return false;
    }

    @Override
    public List<Device> devices()
    {
        return isSupported() ? List.of(new ShmDevice()) : List.of();
    }

    @Override
    public Device device(final String argument)
    {
        checkPlatform();
        if (!argument.isEmpty())
        {
            throw new VerbsException("get_device_list", Errno.ENODEV,
                "there is one shared-memory device, named shm: device=" + KIND + ":" + argument);
        }
        return new ShmDevice();
    }

    static void checkPlatform()
    {
        if (!isSupported())
        {
            throw new VerbsException("open_device", Errno.ENODEV,
                "the shared-memory device needs 64-bit Linux, use tcp instead: os.name=" +
                    System.getProperty("os.name"));
        }
    }

    private static boolean isSupported()
    {
        return "Linux".equals(System.getProperty("os.name")) && "64".equals(System.getProperty("sun.arch.data.model"));
    }
}
