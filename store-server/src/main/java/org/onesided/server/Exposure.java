package org.onesided.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.DeviceNames;
import org.onesided.verbs.Devices;
import org.onesided.verbs.OpenDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which other hosts can reach a server and its devices, and what they can read.
 */
final class Exposure
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Exposure.class);
    private static final String ONLY_HERE = "listens on this machine only: give one with --token-file or " +
        "KVCTL_TOKEN, ask for certificates with --tls-client-ca, or ";

    private final ServerOptionValues options;

    Exposure(final ServerOptionValues options)
    {
        this.options = options;
    }

    /**
     * What holds for the server's address holds for those at which devices listen by themselves.
     *
     * @param address where the server is to listen.
     * @throws IllegalArgumentException if without a token or the like others than this host could reach the server or
     *                                  a device.
     */
    void check(final InetSocketAddress address)
    {
        if (asksForCredentials())
        {
            return;
        }
        if (!address.getAddress().isLoopbackAddress())
        {
            throw new IllegalArgumentException("without a token a server " + ONLY_HERE + "listen on 127.0.0.1: " +
                "listen=" + ServerAddress.text(address));
        }
        if (options.verbsDevice() != null)
        {
            return;
        }
        for (final String name : DeviceNames.parse(options.device()))
        {
            final InetAddress at = DeviceChoice.AUTO.equals(name) ? null : Devices.listenAddress(name);
            if (at != null && !at.isLoopbackAddress())
            {
                throw new IllegalArgumentException("without a token a device " + ONLY_HERE +
                    "let it listen on 127.0.0.1: device=" + name);
            }
        }
    }

    /**
     * Tells of what an operator may not have meant.
     *
     * @param address where the server listens.
     * @param devices that it has opened.
     */
    void warn(final InetSocketAddress address, final List<OpenDevice> devices)
    {
        final boolean isPublic = !address.getAddress().isLoopbackAddress();
        if (isPublic && devices.stream().noneMatch(this::reachesOtherHosts))
        {
            final boolean onLoopback = devices.stream().anyMatch((each) -> Devices.reachOtherHosts(each.kind()));
            LOGGER.warn("only clients on this host can use this device, whatever the address{}: device={} address={}",
                onLoopback ? ", let it listen at one that others reach" : "",
                DeviceNames.join(devices.stream().map(OpenDevice::name).toList()), options.listenHost());
        }
        for (final OpenDevice each : devices)
        {
            final InetAddress at = listenAddress(each);
            if (at != null && !at.isLoopbackAddress())
            {
                LOGGER.warn("keys and values travel in the clear over this device, on a network that others do not " +
                    "share or within a tunnel only: device={}", each.name());
            }
        }
        if (isPublic && options.tls() == null)
        {
            LOGGER.warn("tokens travel in the clear, give a certificate with --tls-certificate and --tls-key: " +
                "address={}", ServerAddress.text(address));
        }
    }

    /** Whether clients must authenticate, so that the server may be reachable by strangers. */
    private boolean asksForCredentials()
    {
        return options.tokens() != null || options.tls() != null && options.tls().authorities() != null;
    }

    private boolean reachesOtherHosts(final OpenDevice device)
    {
        final InetAddress at = listenAddress(device);
        return Devices.reachOtherHosts(device.kind()) && (at == null || !at.isLoopbackAddress());
    }

    /** Null if it does not listen by itself. */
    private InetAddress listenAddress(final OpenDevice device)
    {
        return options.verbsDevice() != null ? null : Devices.listenAddress(device.name());
    }
}
