package org.onesided.iwarp;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A device in a process of its own, which may be short of memory, with queue pairs that peers elsewhere connect to. It
 * says what they have to know, and at the end what it has counted.
 */
public final class ScarceDevice
{
    private ScarceDevice()
    {
    }

    /**
     * Goes on until its input ends.
     *
     * @param arguments how many queue pairs, and how many READs each answers at a time.
     * @throws Exception if the device cannot be opened.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final int count = Integer.parseInt(arguments[0]);
        final int depth = Integer.parseInt(arguments[1]);
        final List<DeviceLink> links = new ArrayList<>();
        try (DeviceEnd end = new DeviceEnd("tcp:127.0.0.1:0", IwarpTest.LENGTH))
        {
            System.out.println(end.port() + " " + end.region.remoteKey() + " " + end.address(0));
            for (int i = 0; i < count; i++)
            {
                final DeviceLink link = new DeviceLink(end, depth);
                links.add(link);
                link.connect(0);
                System.out.println(link.queuePair.number() + " " + HexFormat.of().formatHex(link.secret()));
            }
            System.in.transferTo(System.out);
            System.out.println(end.counters());
            links.forEach(DeviceLink::close);
        }
    }
}
