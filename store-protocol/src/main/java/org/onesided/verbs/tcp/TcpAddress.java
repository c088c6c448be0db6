package org.onesided.verbs.tcp;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.VerbsException;

/**
 * Where a device listens, {@code INTERFACE_OR_ADDRESS:PORT}, such as {@code eth0:7000} or {@code [::1]:0}.
 *
 * @param host interface, name or address, without brackets.
 * @param port 0 for any.
 */
record TcpAddress(String host, int port)
{
    /** The name of the kind of device. */
    static final String KIND = "tcp";

    private static final int MAX_PORT = 0xFFFF;
    private static final long MAPPED_PREFIX = 0xFFFFL << Integer.SIZE;

    static TcpAddress parse(final String text)
    {
        final int colon = text.lastIndexOf(':');
        String host = text.substring(0, Math.max(colon, 0));
        if (host.startsWith("[") && host.endsWith("]"))
        {
            host = host.substring(1, host.length() - 1);
        }
        else if (host.indexOf(':') >= 0)
        {
            throw wrong("an IPv6 address needs brackets", text);
        }
        if (host.isEmpty())
        {
            throw wrong("the address or the port is missing", text);
        }
        try
        {
            final int port = Integer.parseInt(text.substring(colon + 1));
            if (port < 0 || port > MAX_PORT)
            {
                throw wrong("the port is out of range 0 to " + MAX_PORT, text);
            }
            return new TcpAddress(host, port);
        }
        catch (final NumberFormatException ex)
        {
            throw wrong("the port is not a number", text);
        }
    }

    /** Syntax of {@link #parse}. */
    static String argument(final String host, final int port)
    {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /**
     * Finds the address to listen at: an interface's first IPv4 address or, if it has none, its first IPv6 address.
     */
    InetSocketAddress resolve()
    {
        try
        {
            final NetworkInterface found = NetworkInterface.getByName(host);
            return new InetSocketAddress(
                found == null ? InetAddress.getByName(host) : best(found.inetAddresses().toList()), port);
        }
        catch (final UnknownHostException ex)
        {
            throw new VerbsException("open_device", Errno.ENODEV,
                "no such interface, and no address of this name: device=" + this, ex);
        }
        catch (final SocketException ex)
        {
            throw new VerbsException("open_device", Errno.ENODEV,
                "cannot look up the network interfaces: device=" + this + ": " + ex.getMessage(), ex);
        }
    }

    /**
     * @return the address as IPv6, or IPv4-mapped; zero for the wildcard address.
     */
    static Gid gid(final InetAddress address)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return address.isAnyLocalAddress() ? new Gid(0, 0) :
            address instanceof Inet4Address ? new Gid(0, MAPPED_PREFIX | bytes.getInt() & 0xFFFF_FFFFL) :
            new Gid(bytes.getLong(), bytes.getLong());
    }

    static boolean isUnspecified(final Gid gid)
    {
        return gid.high() == 0 && gid.low() == 0;
    }

    static InetAddress address(final Gid gid)
    {
        final byte[] bytes = ByteBuffer.allocate(Gid.LENGTH).putLong(gid.high()).putLong(gid.low()).array();
        try
        {
            // Java turns a mapped address into an IPv4 address.
            return InetAddress.getByAddress(bytes);
        }
        catch (final UnknownHostException ex)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL, "the GID is not an address: gid=" + gid, ex);
        }
    }

    @Override
    public String toString()
    {
        return KIND + ":" + argument(host, port);
    }

    /** Address of an interface to listen on. */
    InetAddress best(final List<InetAddress> all)
    {
        return all.stream()
            .filter(Inet4Address.class::isInstance)
            .findFirst()
            .or(() -> all.stream().filter((a) -> a instanceof Inet6Address && !a.isLinkLocalAddress()).findFirst())
            .orElseThrow(() -> new VerbsException("open_device", Errno.EADDRNOTAVAIL,
                "the interface has no address but for its own link, give it one or name another: device=" + this));
    }

    private static VerbsException wrong(final String what, final String text)
    {
        return new VerbsException("get_device_list", Errno.EINVAL, "no such device, " + what +
            ", name it as tcp:INTERFACE_OR_ADDRESS:PORT: device=" + KIND + ":" + text);
    }
}
