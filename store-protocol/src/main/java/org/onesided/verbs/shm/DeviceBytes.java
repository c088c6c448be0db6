package org.onesided.verbs.shm;

import java.nio.ByteBuffer;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * What a queue pair's peer must know beyond the standard attributes.
 *
 * <pre>
 *   0         4         8         12        28
 *  +---------+---------+---------+---------+
 *  | flags   | user id | gener.  | secret  |
 *  +---------+---------+---------+---------+
 * </pre>
 *
 * @param untrusting whether this side maps nothing that its peer made.
 * @param userId     owner of the context's directory.
 * @param generation of the queue pair, part of its file's name.
 * @param secret     needed to claim the queue pair.
 */
record DeviceBytes(boolean untrusting, int userId, int generation, byte[] secret)
{
    private static final int VERSION = 2;
    private static final int LENGTH = 3 * Integer.BYTES + PairFile.SECRET_LENGTH;

    byte[] encode()
    {
        return ByteBuffer.allocate(LENGTH)
            .putInt(VERSION << 1 | (untrusting ? 1 : 0))
            .putInt(userId)
            .putInt(generation)
            .put(secret)
            .array();
    }

    static DeviceBytes decode(final byte[] bytes)
    {
        if (bytes.length != LENGTH || ByteBuffer.wrap(bytes).getInt() >>> 1 != VERSION)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL,
                "not the device bytes of a shared-memory queue pair, pass on those of the peer's endpoint: length=" +
                    bytes.length);
        }
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        final boolean untrusting = (buffer.getInt() & 1) != 0;
        final int userId = buffer.getInt();
        final int generation = buffer.getInt();
        final byte[] secret = new byte[PairFile.SECRET_LENGTH];
        buffer.get(secret);
        return new DeviceBytes(untrusting, userId, generation, secret);
    }
}
