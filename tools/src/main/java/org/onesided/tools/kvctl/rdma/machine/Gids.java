package org.onesided.tools.kvctl.rdma.machine;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.onesided.verbs.Gid;

/**
 * GIDs as peers send them, and the IP addresses in them.
 */
public final class Gids
{
    private static final long MAPPED_PREFIX = 0xFFFFL << 32;

    private Gids()
    {
    }

    /**
     * @param gid to look at.
     * @return whether it stands for none.
     */
    public static boolean isZero(final Gid gid)
    {
        return (gid.high() | gid.low()) == 0;
    }

    /**
     * Writes a GID as C programs do, without the abbreviations of IPv6.
     *
     * @param gid to write, or null.
     * @return its text.
     */
    public static String text(final Gid gid)
    {
        if (gid == null)
        {
            return "::";
        }
        final String address = ipv4(gid);
        return address.isEmpty() ? gid.toString() : "::ffff:" + address;
    }

    /**
     * Makes the RoCE v2 GID of an interface.
     *
     * @param address of the interface.
     * @return its GID.
     */
    public static Gid ofAddress(final InetAddress address)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == Integer.BYTES ?
            new Gid(0, MAPPED_PREFIX | Integer.toUnsignedLong(bytes.getInt())) :
            new Gid(bytes.getLong(), bytes.getLong());
    }

    /** The IPv4 address mapped into the GID; empty if there is none. */
    static String ipv4(final Gid gid)
    {
        final InetAddress address = address(gid);
        return address instanceof Inet4Address ? address.getHostAddress() : "";
    }

    static boolean isLinkLocal(final Gid gid)
    {
        return address(gid).isLinkLocalAddress();
    }

    private static InetAddress address(final Gid gid)
    {
        try
        {
            return InetAddress.getByAddress(
                ByteBuffer.allocate(Gid.LENGTH).putLong(gid.high()).putLong(gid.low()).array());
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalStateException("a GID is as long as an address of IPv6: gid=" + gid, e);
        }
    }
}
