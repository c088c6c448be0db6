package org.onesided.verbs;

/**
 * The way to a peer ({@code struct ibv_ah_attr}).
 *
 * @param lid          the peer's local identifier; 0 where addressing is by GID.
 * @param gid          the peer's global identifier, or null where addressing is by LID.
 * @param gidIndex     index of this side's own GID.
 * @param serviceLevel service level, 0 to 15.
 * @param trafficClass traffic class, 0 to 255.
 * @param hopLimit     hop limit, 0 to 255.
 * @param port         this side's port, from 1.
 * @param deviceBytes  the peer's {@link QueuePair#deviceBytes}; empty on hardware.
 */
public record AddressVector(
    int lid,
    Gid gid,
    int gidIndex,
    int serviceLevel,
    int trafficClass,
    int hopLimit,
    int port,
    byte[] deviceBytes)
{
    /** Maximum number of bytes that a device may add. */
    public static final int MAX_DEVICE_BYTES = 64;

    /** Hops that a packet may take. */
    private static final int HOP_LIMIT = 64;

    /**
     * The usual way: by GID where this side has one, otherwise by LID.
     *
     * @param peer    the peer's endpoint.
     * @param options this side's, resolved.
     * @return the address vector.
     */
    public static AddressVector to(final Endpoint peer, final ConnectionOptions options)
    {
        final boolean isGlobal = options.gidIndex() >= 0;
        return new AddressVector(
            peer.lid(),
            isGlobal ? peer.gid() : null,
            isGlobal ? options.gidIndex() : 0,
            options.serviceLevel(),
            options.trafficClass(),
            HOP_LIMIT,
            options.port(),
            peer.deviceBytes());
    }
}
