package org.onesided.tools.kvctl.rdma.machine;

import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceProvider;

/**
 * Which device, port and GID to look at.
 *
 * @param provider of the devices.
 * @param argument what follows the kind in a device's name; empty for the one that would be taken by default.
 * @param options  port, GID and the rest of a connection, where they are given; its access lets a peer READ.
 */
public record Selection(DeviceProvider provider, String argument, ConnectionOptions options)
{
}
