package org.onesided.verbs.tcp;

import java.net.InetAddress;
import java.util.List;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceProvider;

/**
 * Offers a device that only needs a network: iWARP in user space over TCP.
 */
public final class TcpDeviceProvider implements DeviceProvider
{
    /** Below hardware and shared memory. */
    private static final int PREFERENCE = 10;

    /**
     * For {@link java.util.ServiceLoader}.
     */
    public TcpDeviceProvider()
    {
    }

    @Override
    public String kind()
    {
        return TcpAddress.KIND;
    }

    @Override
    public int preference()
    {
        return PREFERENCE;
    }

    @Override
    public String listenArgument(final String host)
    {
        return TcpAddress.argument(host, 0);
    }

    @Override
    public InetAddress listenAddress(final String argument)
    {
        return argument.isEmpty() ? null : TcpAddress.parse(argument).resolve().getAddress();
    }

    @Override
    public List<Device> devices()
    {
        return List.of(new TcpDevice(TcpAddress.KIND, null));
    }

    @Override
    public Device device(final String argument)
    {
        return argument.isEmpty() ? new TcpDevice(TcpAddress.KIND, null) :
            new TcpDevice(TcpAddress.KIND + ":" + argument, TcpAddress.parse(argument));
    }
}
