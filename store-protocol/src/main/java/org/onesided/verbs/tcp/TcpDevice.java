package org.onesided.verbs.tcp;

import org.onesided.verbs.Context;
import org.onesided.verbs.Device;

/**
 * A device that listens at an address, or one that only connects to such.
 *
 * @param name    as it was asked for.
 * @param address where it listens, or null.
 */
record TcpDevice(String name, TcpAddress address) implements Device
{
    @Override
    public Context open()
    {
        return TcpContext.open(this, address, this::listening);
    }

    /**
     * @return the same device, with the port where it listens in its name.
     */
    TcpDevice listening(final int boundPort)
    {
        return new TcpDevice(new TcpAddress(address.host(), boundPort).toString(), address);
    }

    @Override
    public boolean isShareable()
    {
        return address == null;
    }

    @Override
    public boolean gathersRequests()
    {
        return true;
    }
}
