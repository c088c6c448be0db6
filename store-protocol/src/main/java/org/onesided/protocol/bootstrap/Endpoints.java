package org.onesided.protocol.bootstrap;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import org.onesided.protocol.bootstrap.codec.ConnectDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectEncoder;
import org.onesided.protocol.bootstrap.codec.ConnectedDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectedEncoder;
import org.onesided.verbs.AddressVector;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;

/**
 * Writes and reads the endpoints in {@code Connect} and {@code Connected}. A GID of zeros stands for none.
 */
public final class Endpoints
{
    private static final int MAX_PSN = 0xFF_FFFF;

    private Endpoints()
    {
    }

    /**
     * @param message   to write to, after its header.
     * @param endpoints one per shard, in their order.
     */
    public static void encode(final ConnectEncoder message, final List<Endpoint> endpoints)
    {
        final ConnectEncoder.EndpointsEncoder group = message.endpointsCount(endpoints.size());
        for (final Endpoint endpoint : endpoints)
        {
            final byte[] deviceBytes = endpoint.deviceBytes();
            group.next()
                .queuePair(endpoint.queuePairNumber() & 0xFFFF_FFFFL)
                .lid(endpoint.lid())
                .gidHigh(endpoint.gid() == null ? 0 : endpoint.gid().high())
                .gidLow(endpoint.gid() == null ? 0 : endpoint.gid().low())
                .psn(endpoint.psn())
                .mtu(endpoint.mtu())
                .readDepth(endpoint.readDepth())
                .initiatorDepth(endpoint.initiatorDepth())
                .putDeviceBytes(deviceBytes, 0, deviceBytes.length);
        }
    }

    /**
     * @param message   to write to, after its header.
     * @param endpoints one per shard, in their order.
     */
    public static void encode(final ConnectedEncoder message, final List<Endpoint> endpoints)
    {
        final ConnectedEncoder.EndpointsEncoder group = message.endpointsCount(endpoints.size());
        for (final Endpoint endpoint : endpoints)
        {
            final byte[] deviceBytes = endpoint.deviceBytes();
            group.next()
                .queuePair(endpoint.queuePairNumber() & 0xFFFF_FFFFL)
                .lid(endpoint.lid())
                .gidHigh(endpoint.gid() == null ? 0 : endpoint.gid().high())
                .gidLow(endpoint.gid() == null ? 0 : endpoint.gid().low())
                .psn(endpoint.psn())
                .mtu(endpoint.mtu())
                .readDepth(endpoint.readDepth())
                .initiatorDepth(endpoint.initiatorDepth())
                .putDeviceBytes(deviceBytes, 0, deviceBytes.length);
        }
    }

    /**
     * @param message to read from.
     * @return one per shard, in their order.
     * @throws ProtocolException if one is out of range.
     */
    public static List<Endpoint> decode(final ConnectDecoder message) throws ProtocolException
    {
        final List<Endpoint> endpoints = new ArrayList<>();
        for (final ConnectDecoder.EndpointsDecoder group : message.endpoints())
        {
            final byte[] deviceBytes = deviceBytes(group.deviceBytesLength());
            endpoints.add(endpoint(
                group.queuePair(), group.lid(), group.gidHigh(), group.gidLow(), group.psn(), group.mtu(),
                group.readDepth(), group.initiatorDepth(), deviceBytes));
            group.getDeviceBytes(deviceBytes, 0, deviceBytes.length);
        }
        return endpoints;
    }

    /**
     * @param message to read from.
     * @return one per shard, in their order.
     * @throws ProtocolException if one is out of range.
     */
    public static List<Endpoint> decode(final ConnectedDecoder message) throws ProtocolException
    {
        final List<Endpoint> endpoints = new ArrayList<>();
        for (final ConnectedDecoder.EndpointsDecoder group : message.endpoints())
        {
            final byte[] deviceBytes = deviceBytes(group.deviceBytesLength());
            endpoints.add(endpoint(
                group.queuePair(), group.lid(), group.gidHigh(), group.gidLow(), group.psn(), group.mtu(),
                group.readDepth(), group.initiatorDepth(), deviceBytes));
            group.getDeviceBytes(deviceBytes, 0, deviceBytes.length);
        }
        return endpoints;
    }

    private static byte[] deviceBytes(final int length) throws ProtocolException
    {
        if (length > AddressVector.MAX_DEVICE_BYTES)
        {
            throw new ProtocolException("too many device bytes: length=" + length);
        }
        return new byte[length];
    }

    private static Endpoint endpoint(
        final long queuePair,
        final long lid,
        final long gidHigh,
        final long gidLow,
        final long psn,
        final long mtu,
        final long readDepth,
        final long initiatorDepth,
        final byte[] deviceBytes) throws ProtocolException
    {
        if (psn > MAX_PSN)
        {
            throw new ProtocolException("not a packet sequence number: psn=" + psn);
        }
        return new Endpoint(
            (int)queuePair,
            positive("lid", lid),
            (gidHigh | gidLow) == 0 ? null : new Gid(gidHigh, gidLow),
            (int)psn,
            positive("mtu", mtu),
            positive("read depth", readDepth),
            positive("initiator depth", initiatorDepth),
            deviceBytes);
    }

    private static int positive(final String what, final long value) throws ProtocolException
    {
        if (value > Integer.MAX_VALUE)
        {
            throw new ProtocolException("endpoint out of range: " + what + "=" + value);
        }
        return (int)value;
    }
}
