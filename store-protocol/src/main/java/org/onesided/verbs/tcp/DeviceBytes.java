package org.onesided.verbs.tcp;

import java.nio.ByteBuffer;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * What a queue pair's peer must know beyond the standard attributes: the secret that a connection to it starts with.
 *
 * <pre>
 *   0         1         2                   18
 *  +---------+---------+-------------------+
 *  | version | flags   | secret            |
 *  +---------+---------+-------------------+
 * </pre>
 */
final class DeviceBytes
{
    private static final byte VERSION = 1;
    private static final int SECRET_OFFSET = 2;
    private static final int LENGTH = SECRET_OFFSET + MpaStart.SECRET_LENGTH;

    private DeviceBytes()
    {
    }

    static byte[] encode(final byte[] secret)
    {
        return ByteBuffer.allocate(LENGTH).put(VERSION).put((byte)0).put(secret).array();
    }

    /**
     * @return the secret.
     */
    static byte[] decode(final byte[] bytes)
    {
        if (bytes.length != LENGTH || bytes[0] != VERSION || bytes[1] != 0)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL,
                "not the device bytes of a tcp queue pair, pass on those of the peer's endpoint: length=" +
                    bytes.length);
        }
        final byte[] secret = new byte[MpaStart.SECRET_LENGTH];
        System.arraycopy(bytes, SECRET_OFFSET, secret, 0, secret.length);
        return secret;
    }
}
