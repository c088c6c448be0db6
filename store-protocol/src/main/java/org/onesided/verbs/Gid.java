package org.onesided.verbs;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * A port's global identifier: 128 bits in network byte order.
 *
 * @param high the first 8 bytes, the subnet prefix.
 * @param low  the last 8 bytes, the interface identifier.
 */
public record Gid(long high, long low)
{
    /** Length of a GID in bytes. */
    public static final int LENGTH = 16;

    private static final long IPV4_MAPPED = 0xFFFFL << Integer.SIZE;

    /**
     * @param address of an interface.
     * @return the GID of the address, IPv4-mapped for an IPv4 address.
     */
    public static Gid of(final InetAddress address)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == Integer.BYTES ?
            new Gid(0, IPV4_MAPPED | bytes.getInt() & 0xFFFF_FFFFL) : new Gid(bytes.getLong(), bytes.getLong());
    }

    /**
     * @return eight groups of four hexadecimal digits.
     */
    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder(39);
        for (int group = 0; group < 8; group++)
        {
            final long half = group < 4 ? high : low;
            final long bits = half >>> (48 - 16 * (group & 3)) & 0xFFFF;
            text.append(group == 0 ? "" : ":").append(String.format("%04x", bits));
        }
        return text.toString();
    }
}
