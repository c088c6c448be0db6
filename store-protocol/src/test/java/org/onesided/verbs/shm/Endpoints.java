package org.onesided.verbs.shm;

import java.util.HexFormat;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;

/**
 * Endpoints as text.
 */
final class Endpoints
{
    private Endpoints()
    {
    }

    static String format(final Endpoint endpoint)
    {
        return endpoint.queuePairNumber() + " " + endpoint.gid().high() + " " + endpoint.gid().low() + " " +
            endpoint.psn() + " " + endpoint.mtu() + " " + endpoint.readDepth() + " " + endpoint.initiatorDepth() + " " +
            HexFormat.of().formatHex(endpoint.deviceBytes());
    }

    static Endpoint parse(final String text)
    {
        final String[] words = text.split(" ");
        return new Endpoint(
            Integer.parseInt(words[0]),
            0,
            new Gid(Long.parseLong(words[1]), Long.parseLong(words[2])),
            Integer.parseInt(words[3]),
            Integer.parseInt(words[4]),
            Integer.parseInt(words[5]),
            Integer.parseInt(words[6]),
            HexFormat.of().parseHex(words[7]));
    }
}
