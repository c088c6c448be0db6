package org.onesided.tools.kvctl.rdma.machine;

import org.onesided.tools.machine.SystemFiles;

/**
 * What the system tells of a network interface.
 */
final class Interfaces
{
    private static final int IFF_UP = 1;

    private Interfaces()
    {
    }

    /** Whether somebody has switched it on. */
    static boolean isUp(final SystemFiles files, final String name)
    {
        final String flags = files.line("/sys/class/net/" + name + "/flags");
        return flags.matches("0x[0-9a-fA-F]{1,8}") && (Long.decode(flags) & IFF_UP) != 0;
    }

    /** Whether it is on, but nothing is at the other end. */
    static boolean lacksCarrier(final SystemFiles files, final String name)
    {
        return "0".equals(files.line("/sys/class/net/" + name + "/carrier"));
    }
}
