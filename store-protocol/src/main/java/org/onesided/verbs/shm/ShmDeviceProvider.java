package org.onesided.verbs.shm;

import java.util.List;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceProvider;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.NativeCalls;

/**
 * Offers the shared-memory device on Linux.
 */
public final class ShmDeviceProvider implements DeviceProvider
{
    /** Below hardware, which reaches other hosts; above software over a network. */
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
        return ShmDevice.KIND;
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

    /** Clients still have the memory mapped. */
    @Override
    public void retireLeftovers()
    {
        if (ShmDevice.isSupported())
        {
            NativeCalls.check();
            ContextCleaner.cleanUp();
        }
    }

    @Override
    public List<Device> devices()
    {
        return ShmDevice.isSupported() ? List.of(new ShmDevice()) : List.of();
    }

    @Override
    public Device device(final String argument)
    {
        ShmDevice.checkPlatform();
        if (!argument.isEmpty())
        {
            throw new VerbsException("get_device_list", Errno.ENODEV,
                "there is one shared-memory device, named shm: device=" + ShmDevice.KIND + ":" + argument);
        }
        return new ShmDevice();
    }
}
