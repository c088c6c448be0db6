package org.onesided.tools.kvctl.rdma.talk;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.onesided.verbs.Gid;

/**
 * GIDs as peers send them, and as they follow from IP addresses.
 */
final class Gids
{
    private static final long MAPPED_PREFIX = 0xFFFFL << 32;

    private Gids()
    {
    }

    static boolean isZero(final Gid gid)
    {
        return (gid.high() | gid.low()) == 0;
    }

    /** A GID, or what C programs print for none. */
    static String text(final Gid gid)
    {
        return gid == null ? "::" : gid.toString();
    }

    /** The RoCE v2 GID that an interface with this address has. */
    static Gid ofAddress(final InetAddress address)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == Integer.BYTES ?
            new Gid(0, MAPPED_PREFIX | Integer.toUnsignedLong(bytes.getInt())) :
            new Gid(bytes.getLong(), bytes.getLong());
    }
}
