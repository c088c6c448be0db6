package org.onesided.tools.kvctl.rdma;

import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceProvider;

/**
 * Which device, port and GID to look at.
 *
 * @param provider of the devices.
 * @param argument what follows the kind in a device's name; empty for the one that would be taken by default.
 * @param port     from 1, or {@link ConnectionOptions#FIRST_ACTIVE_PORT}.
 * @param gidIndex from 0, or {@link ConnectionOptions#CHOSEN_GID}.
 */
public record Selection(DeviceProvider provider, String argument, int port, int gidIndex)
{
    /**
     * @param provider see there.
     * @param argument see there.
     * @param port     see there.
     * @param gidIndex see there.
     * @throws IllegalArgumentException if a number is out of its range.
     */
    public Selection
    {
        options(port, gidIndex);
    }

    ConnectionOptions options()
    {
        return options(port, gidIndex);
    }

    private static ConnectionOptions options(final int port, final int gidIndex)
    {
        return ConnectionOptions.defaults(Access.REMOTE_READ).port(port).gidIndex(gidIndex);
    }
}
