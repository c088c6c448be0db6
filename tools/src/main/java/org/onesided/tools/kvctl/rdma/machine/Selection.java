package org.onesided.tools.kvctl.rdma.machine;

import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceProvider;

/**
 * The device, port and GID to examine.
 *
 * @param provider of the devices.
 * @param argument name of the device without its kind; empty for the default.
 * @param options  port, GID and other options of a connection, as far as given; a peer may READ.
 */
public record Selection(DeviceProvider provider, String argument, ConnectionOptions options)
{
}
