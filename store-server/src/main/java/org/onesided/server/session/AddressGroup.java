package org.onesided.server.session;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.io.IOException;
import java.util.Arrays;

/**
 * The addresses that count as one client's: one of IPv4, or the 64 bits of IPv6 that a network is given, within which a
 * host takes what it likes.
 *
 * @param first   of them.
 * @param isLocal whether they are this machine's own loopback.
 */
public record AddressGroup(InetAddress first, boolean isLocal)
{
    private static final int PREFIX_LENGTH = 8;

    static AddressGroup of(final InetAddress address)
    {
        if (!(address instanceof Inet6Address))
        {
            return new AddressGroup(address, address.isLoopbackAddress());
        }
        final byte[] bytes = address.getAddress();
        Arrays.fill(bytes, PREFIX_LENGTH, bytes.length, (byte)0);
        try
        {
            return new AddressGroup(InetAddress.getByAddress(bytes), address.isLoopbackAddress());
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalStateException("of another length: length=" + bytes.length, e);
        }
    }

    /**
     * @param socket connected.
     * @return those of its peer.
     * @throws IOException if that is gone.
     */
    public static AddressGroup of(final SocketChannel socket) throws IOException
    {
        if (socket.getRemoteAddress() instanceof InetSocketAddress remote)
        {
            return of(remote.getAddress());
        }
        throw new IOException("connection has no peer any more");
    }

    @Override
    public String toString()
    {
        return first.getHostAddress() + (first instanceof Inet6Address ? "/64" : "");
    }
}
