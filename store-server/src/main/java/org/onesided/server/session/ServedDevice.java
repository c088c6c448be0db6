package org.onesided.server.session;

import org.onesided.server.memory.LocalKeys;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.OpenDevice;
import org.onesided.verbs.ProtectionDomain;

/**
 * One of the devices that a server offers.
 *
 * @param index       among the server's devices, and those of each shard.
 * @param device      that clients must have one of the same kind of, too.
 * @param domain      of the region and of all queue pairs over the device.
 * @param region      first segment of the table, registered with the device.
 * @param directory   table offset of the device's segment directory.
 * @param keys        of all segments, for work requests of this side.
 * @param maxSessions that the device has room for, from 1.
 */
public record ServedDevice(
    int index,
    OpenDevice device,
    ProtectionDomain domain,
    MemoryRegion region,
    long directory,
    LocalKeys keys,
    int maxSessions)
{
}
