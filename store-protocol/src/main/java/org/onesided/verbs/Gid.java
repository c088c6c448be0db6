package org.onesided.verbs;

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
