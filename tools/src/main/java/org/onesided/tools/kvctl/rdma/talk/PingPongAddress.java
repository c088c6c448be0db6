package org.onesided.tools.kvctl.rdma.talk;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.onesided.tools.kvctl.rdma.machine.Gids;
import org.onesided.verbs.Gid;

/**
 * A queue pair's address as {@code ibv_rc_pingpong} tells it: {@code LID:QPN:PSN:GID} in hexadecimal text of fixed
 * width, with a zero byte behind it.
 *
 * @param lid             local identifier of the port; 0 on RoCE.
 * @param queuePairNumber number of the queue pair, 24 bits.
 * @param psn             first packet sequence number, 24 bits.
 * @param gid             address of the port; null for none, told as zeros.
 */
record PingPongAddress(int lid, int queuePairNumber, int psn, Gid gid)
{
    /** Length of the text and its zero byte. */
    static final int LENGTH = 4 + 1 + 6 + 1 + 6 + 1 + 2 * Gid.LENGTH + 1;

    private static final Pattern FORM = Pattern.compile(
        "(\\p{XDigit}{4}):(\\p{XDigit}{6}):(\\p{XDigit}{6}):(\\p{XDigit}{16})(\\p{XDigit}{16})\0");

    byte[] encode()
    {
        return String.format("%04x:%06x:%06x:%016x%016x\0",
            lid, queuePairNumber, psn, gid == null ? 0 : gid.high(), gid == null ? 0 : gid.low()).getBytes(US_ASCII);
    }

    /**
     * Reads a peer's address.
     *
     * @return the address, or null if the bytes are none.
     */
    static PingPongAddress decode(final byte[] bytes)
    {
        final Matcher matcher = FORM.matcher(new String(bytes, US_ASCII));
        if (!matcher.matches())
        {
            return null;
        }
        final Gid gid = new Gid(
            Long.parseUnsignedLong(matcher.group(4), 16), Long.parseUnsignedLong(matcher.group(5), 16));
        return new PingPongAddress(
            Integer.parseInt(matcher.group(1), 16),
            Integer.parseInt(matcher.group(2), 16),
            Integer.parseInt(matcher.group(3), 16),
            Gids.isZero(gid) ? null : gid);
    }

    @Override
    public String toString()
    {
        return String.format("LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s", lid, queuePairNumber, psn, Gids.text(gid));
    }
}
