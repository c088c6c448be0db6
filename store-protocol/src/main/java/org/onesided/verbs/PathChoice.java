package org.onesided.verbs;

import java.util.List;

/**
 * Chooses port and GID to connect with, where {@link ConnectionOptions} leave them open.
 *
 * <p>Of the GIDs: RoCE v2 before RoCE v1, on an interface that is up; IPv4-mapped before IPv6 global before link-local;
 * of several, the first. InfiniBand needs no GID, since ports have LIDs, unless the port demands a global route header
 * in each packet, as virtual functions and routed subnets do: then it is the port's first GID, which it always has.
 */
public final class PathChoice
{
    private static final int UNUSABLE = Integer.MAX_VALUE;
    private static final int ADDRESS_RANKS = 3;
    private static final long MAPPED_PREFIX = 0x0000_FFFFL;
    private static final int LINK_LOCAL_PREFIX = 0xFE80 >>> 6;

    private PathChoice()
    {
    }

    /**
     * Finds out what the options leave open.
     *
     * @param context of the device to connect with.
     * @param options port and GID, where they are given.
     * @return the options with a port, and with a GID index or {@link ConnectionOptions#NO_GID}.
     * @throws VerbsException with {@code ENODEV} if no port is active, the one given included; {@code EINVAL} if the
     *                        device has no such port or the port no such GID, or none that can be used.
     */
    public static ConnectionOptions resolve(final Context context, final ConnectionOptions options)
    {
        final int port = options.port() == ConnectionOptions.FIRST_ACTIVE_PORT ?
            firstActivePort(context) : options.port();
        final PortAttributes attributes = context.queryPort(port);
        if (!attributes.active())
        {
            throw new VerbsException("query_port", Errno.ENODEV,
                "the port cannot carry traffic, bring its link up or take another: device=" +
                    context.device().name() + " port=" + port + " state=" + attributes.state());
        }
        return options.port(port).gidIndex(gidIndex(context, port, attributes, options.gidIndex()));
    }

    private static int firstActivePort(final Context context)
    {
        final int count = context.queryDevice().portCount();
        final StringBuilder states = new StringBuilder();
        for (int port = 1; port <= count; port++)
        {
            final PortAttributes attributes = context.queryPort(port);
            if (attributes.active())
            {
                return port;
            }
            states.append(" port").append(port).append('=').append(attributes.state());
        }
        throw new VerbsException("query_port", Errno.ENODEV,
            "no port can carry traffic, bring a link up: device=" + context.device().name() + states);
    }

    private static int gidIndex(
        final Context context, final int port, final PortAttributes attributes, final int wanted)
    {
        final boolean isInfiniBand = PortAttributes.INFINIBAND.equals(attributes.linkLayer());
        final boolean isOptional = isInfiniBand && !attributes.demandsRoute();
        if (wanted == ConnectionOptions.NO_GID || wanted == ConnectionOptions.CHOSEN_GID && isOptional)
        {
            if (!isOptional)
            {
                throw new VerbsException("query_gid", Errno.EINVAL,
                    (isInfiniBand ? "the port demands a global route header, and so a GID" :
                        "only InfiniBand can do without a GID") + ": device=" + context.device().name() + " port=" +
                        port + " link_layer=" + attributes.linkLayer());
            }
            return ConnectionOptions.NO_GID;
        }
        final List<GidEntry> entries = context.queryGidTable(port);
        if (wanted == ConnectionOptions.CHOSEN_GID)
        {
            final GidEntry best = isInfiniBand ? first(entries) : best(entries);
            if (best == null)
            {
                throw new VerbsException("query_gid", Errno.EINVAL,
                    "no GID on an interface that is up, give the interface an address: device=" +
                        context.device().name() + " port=" + port + " gids=" + entries.size());
            }
            return best.index();
        }
        if (entries.stream().noneMatch((entry) -> entry.index() == wanted))
        {
            throw new VerbsException("query_gid", Errno.EINVAL,
                "no GID at that index: device=" + context.device().name() + " port=" + port + " gid_index=" + wanted +
                    " there_are=" + entries.stream().map(GidEntry::index).toList());
        }
        return wanted;
    }

    /** On InfiniBand, no network interface need be up for a GID. */
    private static GidEntry first(final List<GidEntry> entries)
    {
        return entries.isEmpty() ? null : entries.get(0);
    }

    /**
     * @param entries of the port.
     * @return the best, or null if there is none.
     */
    static GidEntry best(final List<GidEntry> entries)
    {
        GidEntry best = null;
        int least = UNUSABLE;
        for (final GidEntry entry : entries)
        {
            final int rank = rank(entry);
            if (rank < least)
            {
                least = rank;
                best = entry;
            }
        }
        return best;
    }

    private static int rank(final GidEntry entry)
    {
        if (!entry.interfaceUp() || entry.index() > ConnectionOptions.MAX_GID_INDEX)
        {
            return UNUSABLE;
        }
        final int byType = entry.type() == GidType.ROCE_V1 ? ADDRESS_RANKS : 0;
        final Gid gid = entry.gid();
        if (gid.high() == 0 && gid.low() >>> 32 == MAPPED_PREFIX)
        {
            return byType;
        }
        return gid.high() >>> 54 == LINK_LOCAL_PREFIX ? byType + 2 : byType + 1;
    }
}
