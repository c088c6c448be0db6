package org.onesided.server;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.SystemNanoClock;
import org.onesided.server.accept.Acceptor;
import org.onesided.server.session.Credentials;
import org.onesided.server.session.ServedTable;
import org.onesided.server.session.SessionLimits;
import org.onesided.verbs.DeviceNames;
import org.onesided.verbs.Devices;
import org.onesided.verbs.OpenDevice;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Address that a server listens on.
 */
final class ServerAddress
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerAddress.class);

    private static final Pattern HOST_AND_PORT = Pattern.compile("(?:\\[([^\\[\\]\\s]+)]|([^:\\s]+)):([0-9]{1,5})");
    private static final int MAX_PORT = 0xFFFF;

    private ServerAddress()
    {
    }

    /** For messages. */
    static String text(final InetSocketAddress address)
    {
        final String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /**
     * Reads an address and resolves its host, if it can be.
     *
     * @param text {@code HOST:PORT}, an IPv6 address in brackets.
     * @throws IllegalArgumentException if it is none.
     */
    static InetSocketAddress parse(final String text)
    {
        final Matcher parts = HOST_AND_PORT.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(3)) > MAX_PORT)
        {
            throw new IllegalArgumentException("not an address, write HOST:PORT or [IPV6]:PORT: address=" + text);
        }
        return new InetSocketAddress(
            parts.group(1) == null ? parts.group(2) : parts.group(1), Integer.parseInt(parts.group(3)));
    }

    /**
     * Resolves the address that the options name.
     *
     * @throws ServerException if the host has none.
     */
    static InetSocketAddress resolve(final ServerOptionValues options)
    {
        final InetSocketAddress address = new InetSocketAddress(options.listenHost(), options.listenPort());
        if (address.isUnresolved())
        {
            throw new ServerException(
                "cannot listen, the host has no address here: host=" + options.listenHost());
        }
        return address;
    }

    /**
     * Listens.
     *
     * @param address     to listen on.
     * @param table       to connect sessions to.
     * @param credentials that clients must show, and the server's own.
     * @param limits      of sessions.
     * @param devices     of the server, one of which may have the port; none if their names say nothing.
     * @throws ServerException if the address cannot be listened on.
     */
    static Acceptor listen(
        final InetSocketAddress address,
        final ServedTable table,
        final Credentials credentials,
        final SessionLimits limits,
        final List<OpenDevice> devices)
    {
        try
        {
            return new Acceptor(address, table, credentials, limits, SystemNanoClock.INSTANCE);
        }
        catch (final IOException e)
        {
            final boolean isOwn = e instanceof BindException &&
                devices.stream().anyMatch((device) -> isTakenBy(device.name(), address));
            throw new ServerException(
                "cannot listen, " + (isOwn ? "the server's own device has this port, give it another" :
                    "choose another address") + ": address=" + address.getHostString() + ":" + address.getPort() +
                    (isOwn ? " device=" + DeviceNames.join(devices.stream().map(OpenDevice::name).toList()) : "") +
                    " cause=" + e.getMessage(), e);
        }
    }

    private static boolean isTakenBy(final String device, final InetSocketAddress address)
    {
        if (!device.endsWith(":" + address.getPort()))
        {
            return false;
        }
        try
        {
            final InetAddress at = Devices.listenAddress(device);
            return at != null && (at.equals(address.getAddress()) || at.isAnyLocalAddress() ||
                address.getAddress().isAnyLocalAddress());
        }
        catch (final VerbsException e)
        {
            LOGGER.debug("device's address cannot be looked up any more: device={}", device, e);
            return false;
        }
    }
}
