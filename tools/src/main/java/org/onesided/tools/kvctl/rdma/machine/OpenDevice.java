package org.onesided.tools.kvctl.rdma.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.VerbsException;

/**
 * A device that was opened, or the reason why it could not be opened.
 *
 * @param name    to select it by.
 * @param context open, and closed with this; null if it could not be opened.
 * @param failure the reason; null if it is open.
 */
record OpenDevice(String name, Context context, VerbsException failure) implements AutoCloseable
{
    /**
     * A port and its attributes.
     *
     * @param number     from 1.
     * @param attributes of the port.
     * @param gids       used entries of its table.
     */
    record Port(int number, PortAttributes attributes, List<GidEntry> gids)
    {
    }

    static OpenDevice open(final Device device)
    {
        try
        {
            return new OpenDevice(device.name(), device.open(), null);
        }
        catch (final VerbsException e)
        {
            return new OpenDevice(device.name(), null, e);
        }
    }

    boolean isOpen()
    {
        return context != null;
    }

    /** The name without the kind: the kernel's name. */
    String kernelName()
    {
        return name.substring(name.indexOf(':') + 1);
    }

    /** What the kernel says of it, if anything. */
    Optional<KernelDevice> kernel(final List<KernelDevice> devices)
    {
        return devices.stream().filter(device -> device.name().equals(kernelName())).findFirst();
    }

    DeviceAttributes attributes()
    {
        return context.queryDevice();
    }

    List<Port> ports()
    {
        final int count = attributes().portCount();
        final List<Port> ports = new ArrayList<>();
        for (int port = 1; port <= count; port++)
        {
            ports.add(new Port(port, context.queryPort(port), context.queryGidTable(port)));
        }
        return ports;
    }

    @Override
    public void close()
    {
        if (context != null)
        {
            context.close();
        }
    }
}
