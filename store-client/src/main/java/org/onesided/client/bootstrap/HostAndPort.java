package org.onesided.client.bootstrap;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import org.onesided.protocol.bootstrap.Bootstrap;

/**
 * Where a server listens. An IPv6 address stands in brackets if a port follows.
 *
 * @param host name or address, without brackets.
 * @param port 1 to 65535.
 */
public record HostAndPort(String host, int port)
{
    private static final int MAX_PORT = 65535;

    /**
     * Reads {@code host}, {@code host:port}, {@code [address]}, {@code [address]:port} or a bare IPv6 address.
     *
     * @param text of an address.
     * @return the address, with the default port if it names none.
     * @throws IllegalArgumentException if it is none.
     */
    public static HostAndPort parse(final String text)
    {
        final String host;
        final String port;
        if (text.startsWith("["))
        {
            final int close = text.indexOf(']');
            if (close < 0 || close + 1 < text.length() && text.charAt(close + 1) != ':')
            {
                throw notAnAddress(text);
            }
            host = text.substring(1, close);
            port = close + 1 < text.length() ? text.substring(close + 2) : null;
        }
        else
        {
            final int colon = text.indexOf(':');
            final boolean bareAddress = colon >= 0 && text.indexOf(':', colon + 1) >= 0;
            host = colon < 0 || bareAddress ? text : text.substring(0, colon);
            port = colon < 0 || bareAddress ? null : text.substring(colon + 1);
        }
        if (host.isEmpty() || !host.equals(host.strip()) || host.indexOf(':') >= 0 && !isIpv6Address(host))
        {
            throw notAnAddress(text);
        }
        return new HostAndPort(host, port == null ? Bootstrap.DEFAULT_PORT : port(port, text));
    }

    /** Checks an address in brackets, which needs no name server. */
    private static boolean isIpv6Address(final String host)
    {
        final int scope = host.indexOf('%');
        try
        {
            InetAddress.getByName('[' + (scope < 0 ? host : host.substring(0, scope)) + ']');
            return true;
        }
        catch (final UnknownHostException e)
        {
            return false;
        }
    }

    /**
     * Tells whether the host is this one: loopback, or an address of one of its interfaces.
     *
     * @return whether it is.
     * @throws UnknownHostException if nobody knows its name.
     */
    public boolean isThisHost() throws UnknownHostException
    {
        try
        {
            for (final InetAddress address : InetAddress.getAllByName(host))
            {
                if (address.isLoopbackAddress() || address.isAnyLocalAddress() ||
                    NetworkInterface.getByInetAddress(address) != null)
                {
                    return true;
                }
            }
            return false;
        }
        catch (final SocketException e)
        {
            return false;
        }
    }

    /** In the form that {@link #parse} reads. */
    @Override
    public String toString()
    {
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
    }

    private static int port(final String digits, final String text)
    {
        int port = 0;
        for (int i = 0; i < digits.length(); i++)
        {
            final int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9)
            {
                throw notAnAddress(text);
            }
            port = Math.min(port * 10 + digit, MAX_PORT + 1);
        }
        if (port < 1 || port > MAX_PORT)
        {
            throw notAnAddress(text);
        }
        return port;
    }

    private static IllegalArgumentException notAnAddress(final String text)
    {
        return new IllegalArgumentException(
            "not a server's address, write HOST:PORT or [IPV6]:PORT with a port from 1 to 65535: server=" + text);
    }
}
