package org.onesided.tools.kvctl.rdma.machine;

import org.onesided.machine.SystemFiles;

/**
 * The state of a network interface, as the system reports it.
 */
final class Interfaces
{
    private static final int IFF_UP = 1;

    private Interfaces()
    {
    }

    /** Whether it is administratively up. */
    static boolean isUp(final SystemFiles files, final String name)
    {
        final String flags = files.line("/sys/class/net/" + name + "/flags");
        return flags.matches("0x[0-9a-fA-F]{1,8}") && (Long.decode(flags) & IFF_UP) != 0;
    }

    /** Whether it is up but has no carrier. */
    static boolean lacksCarrier(final SystemFiles files, final String name)
    {
        return "0".equals(files.line("/sys/class/net/" + name + "/carrier"));
    }
}
