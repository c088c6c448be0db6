package org.onesided.chaos;

import java.util.List;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceProvider;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Offers {@code chaos:PLAN:DEVICE}, such as {@code chaos:42:shm}: see {@link FaultPlan}.
 */
public final class ChaosDeviceProvider implements DeviceProvider
{
    /** The kind's name. */
    static final String KIND = "chaos";

    /**
     * For {@link java.util.ServiceLoader}.
     */
    public ChaosDeviceProvider()
    {
    }

    @Override
    public String kind()
    {
        return KIND;
    }

    @Override
    public List<Device> devices()
    {
        return List.of();
    }

    @Override
    public Device device(final String argument)
    {
        final int colon = argument.indexOf(':');
        if (colon < 0)
        {
            throw new VerbsException("get_device_list", Errno.ENODEV,
                "write chaos:" + FaultPlan.SYNTAX + ":DEVICE: device=" + KIND + ":" + argument);
        }
        return ChaosDevice.named(argument.substring(0, colon), argument.substring(colon + 1));
    }
}
