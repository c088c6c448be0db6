package org.onesided.tools.kvctl.rdma.machine;

import java.util.ArrayList;
import java.util.List;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceProvider;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Offers what a test puts there.
 */
final class FakeProvider implements DeviceProvider
{
    final List<Device> devices = new ArrayList<>();
    VerbsException failure;

    FakeProvider(final Device... devices)
    {
        this.devices.addAll(List.of(devices));
    }

    @Override
    public String kind()
    {
        return "ibv";
    }

    @Override
    public List<Device> devices()
    {
        if (failure != null)
        {
            throw failure;
        }
        return List.copyOf(devices);
    }

    @Override
    public Device device(final String argument)
    {
        return devices().stream()
            .filter(device -> argument.isEmpty() || device.name().equals("ibv:" + argument)).findFirst()
            .orElseThrow(() -> new VerbsException("get_device_list", Errno.ENODEV, "no such device: " + argument));
    }
}
