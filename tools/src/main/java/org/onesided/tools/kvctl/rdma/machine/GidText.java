package org.onesided.tools.kvctl.rdma.machine;

import org.onesided.verbs.Gid;

/**
 * Reads the addresses in GIDs.
 */
final class GidText
{
    private static final long MAPPED_PREFIX = 0xFFFFL;
    private static final long LINK_LOCAL_PREFIX = 0xFE80 >>> 6;

    private GidText()
    {
    }

    /** The IPv4 address mapped into the GID; empty if there is none. */
    static String ipv4(final Gid gid)
    {
        if (gid.high() != 0 || gid.low() >>> 32 != MAPPED_PREFIX)
        {
            return "";
        }
        final long address = gid.low();
        return (address >>> 24 & 0xFF) + "." + (address >>> 16 & 0xFF) + "." + (address >>> 8 & 0xFF) + "." +
            (address & 0xFF);
    }

    static boolean isLinkLocal(final Gid gid)
    {
        return gid.high() >>> 54 == LINK_LOCAL_PREFIX;
    }
}
