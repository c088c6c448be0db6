package org.onesided.verbs.posix;

import static org.onesided.verbs.posix.CLibrary.errno;
import static org.onesided.verbs.posix.CLibrary.retried;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.onesided.verbs.Errno;
import org.onesided.verbs.UnixDatagrams;

/**
 * Datagrams through the C library: socket(2), setsockopt(2) and sendto(2). An address is a {@code struct sockaddr_un}
 * of unix(7):
 *
 * <pre>
 *   0         2
 *  +---------+----------------------------------------------------+
 *  | AF_UNIX | path, and a NUL behind it; or a NUL, and a name    |
 *  +---------+----------------------------------------------------+
 * </pre>
 */
public final class SystemUnixDatagrams implements UnixDatagrams
{
    private static final short AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x8_0000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDTIMEO = 21;
    private static final int MSG_NOSIGNAL = 0x4000;

    /**
     * Called by the service loader.
     */
    public SystemUnixDatagrams()
    {
    }

    @Override
    public int send(final String address, final byte[] message, final int longestMs)
    {
        if (longestMs < 1)
        {
            throw new IllegalArgumentException("a datagram needs time to be sent: longestMs=" + longestMs);
        }
        final ByteBuffer name = name(address);
        if (name == null)
        {
            return -Errno.EINVAL;
        }
        final int fd = retried(() -> PosixCalls.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        if (fd < 0)
        {
            return fd;
        }
        try
        {
            return send(fd, name, direct(message), longestMs);
        }
        finally
        {
            Posix.close(fd);
        }
    }

    private static int send(final int fd, final ByteBuffer name, final ByteBuffer message, final int longestMs)
    {
        // A struct timeval: seconds and microseconds.
        final ByteBuffer time = direct(2 * Long.BYTES);
        time.putLong(0, longestMs / TimeUnit.SECONDS.toMillis(1));
        time.putLong(Long.BYTES, TimeUnit.MILLISECONDS.toMicros(longestMs % TimeUnit.SECONDS.toMillis(1)));
        if (PosixCalls.setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, BufferUtil.address(time), time.capacity()) != 0)
        {
            return -errno();
        }
        final int sent = retried(() -> (int)PosixCalls.sendto(
            fd, BufferUtil.address(message), message.capacity(), MSG_NOSIGNAL,
            BufferUtil.address(name), name.capacity()));
        if (sent < 0)
        {
            return sent;
        }
        // A datagram is sent as a whole or not at all.
        return sent == message.capacity() ? 0 : -Errno.EIO;
    }

    /** Null for an address that is neither an absolute path nor an abstract name, or that is too long. */
    private static ByteBuffer name(final String address)
    {
        final boolean isAbstract = address.startsWith("@");
        if (address.length() < 2 || !isAbstract && !address.startsWith("/") || address.indexOf('\0') >= 0)
        {
            return null;
        }
        final byte[] bytes = address.getBytes(Charset.defaultCharset());
        final int length = bytes.length + (isAbstract ? 0 : 1);
        if (length > MAX_ADDRESS_LENGTH)
        {
            return null;
        }
        final ByteBuffer name = direct(Short.BYTES + length);
        name.putShort(0, AF_UNIX);
        name.put(Short.BYTES, bytes);
        if (isAbstract)
        {
            name.put(Short.BYTES, (byte)0);
        }
        return name;
    }

    private static ByteBuffer direct(final byte[] bytes)
    {
        return direct(bytes.length).put(0, bytes);
    }

    /** Zeroed, and freed with the object; never without an address. */
    private static ByteBuffer direct(final int length)
    {
        return BufferUtil.allocateDirectAligned(length, Long.BYTES).order(ByteOrder.nativeOrder());
    }
}
