package org.onesided.verbs.tcp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * What a queue pair's peer must know beyond the standard attributes.
 *
 * <pre>
 *   0         1         2                   18
 *  +---------+---------+-------------------+
 *  | version | flags   | secret            |
 *  +---------+---------+-------------------+
 * </pre>
 *
 * @param untrusting whether it distrusts its peer, so that it connects nowhere if it can listen; the one flag, 1.
 * @param secret     that a connection to it starts with.
 */
record DeviceBytes(boolean untrusting, byte[] secret)
{
    private static final byte VERSION = 1;
    private static final byte UNTRUSTING = 1;
    private static final int SECRET_OFFSET = 2;
    private static final int LENGTH = SECRET_OFFSET + MpaStart.SECRET_LENGTH;

    byte[] encode()
    {
        return ByteBuffer.allocate(LENGTH).put(VERSION).put(untrusting ? UNTRUSTING : 0).put(secret).array();
    }

    static DeviceBytes decode(final byte[] bytes)
    {
        if (bytes.length != LENGTH || bytes[0] != VERSION || (bytes[1] & ~UNTRUSTING) != 0)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL,
                "not the device bytes of a tcp queue pair, pass on those of the peer's endpoint: length=" +
                    bytes.length);
        }
        return new DeviceBytes(bytes[1] != 0, Arrays.copyOfRange(bytes, SECRET_OFFSET, LENGTH));
    }
}
