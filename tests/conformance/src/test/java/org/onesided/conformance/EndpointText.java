package org.onesided.conformance;

import java.util.HexFormat;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;

/**
 * What one process tells another to be connected and read, as one line of text.
 *
 * @param endpoint of the queue pair.
 * @param address  of its region.
 * @param key      of its region.
 */
record EndpointText(Endpoint endpoint, long address, int key)
{
    static EndpointText of(final Side side)
    {
        return new EndpointText(
            side.endpoint(side.queuePair), side.memory.range().address(), side.region.remoteKey());
    }

    static EndpointText parse(final String line)
    {
        final String[] parts = line.split(" ");
        final Gid gid = parts[2].equals("-") ? null : new Gid(Long.parseLong(parts[2]), Long.parseLong(parts[3]));
        return new EndpointText(
            new Endpoint(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                gid,
                Integer.parseInt(parts[4]),
                Integer.parseInt(parts[5]),
                Integer.parseInt(parts[6]),
                Integer.parseInt(parts[7]),
                parts[8].equals("-") ? new byte[0] : HexFormat.of().parseHex(parts[8])),
            Long.parseLong(parts[9]),
            Integer.parseInt(parts[10]));
    }

    @Override
    public String toString()
    {
        final Gid gid = endpoint.gid();
        return endpoint.queuePairNumber() + " " + endpoint.lid() + " " +
            (gid == null ? "- -" : gid.high() + " " + gid.low()) + " " + endpoint.psn() + " " + endpoint.mtu() + " " +
            endpoint.readDepth() + " " + endpoint.initiatorDepth() + " " +
            (endpoint.deviceBytes().length == 0 ? "-" : HexFormat.of().formatHex(endpoint.deviceBytes())) + " " +
            address + " " + key;
    }
}
