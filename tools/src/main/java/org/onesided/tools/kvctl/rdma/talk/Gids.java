package org.onesided.tools.kvctl.rdma.talk;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.onesided.verbs.Gid;

/**
 * GIDs as peers send them, and as they derive from IP addresses.
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

    /** A GID as C programs print it, without the abbreviations of IPv6. */
    static String text(final Gid gid)
    {
        if (gid == null)
        {
            return "::";
        }
        if (gid.high() != 0 || gid.low() >>> Integer.SIZE != MAPPED_PREFIX >>> Integer.SIZE)
        {
            return gid.toString();
        }
        final long address = gid.low();
        return "::ffff:" + (address >>> 24 & 0xFF) + '.' + (address >>> 16 & 0xFF) + '.' + (address >>> 8 & 0xFF) +
            '.' + (address & 0xFF);
    }

    /** The RoCE v2 GID of an interface with this address. */
    static Gid ofAddress(final InetAddress address)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == Integer.BYTES ?
            new Gid(0, MAPPED_PREFIX | Integer.toUnsignedLong(bytes.getInt())) :
            new Gid(bytes.getLong(), bytes.getLong());
    }
}
