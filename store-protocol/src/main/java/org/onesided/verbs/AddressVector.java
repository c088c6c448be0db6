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
    /** Most bytes that a device may add. */
    public static final int MAX_DEVICE_BYTES = 64;

    /**
     * The usual way: by GID where there is one, with the defaults for the rest.
     *
     * @param peer     the peer's endpoint.
     * @param gidIndex index of this side's own GID.
     * @param port     this side's port.
     * @return the address vector.
     */
    public static AddressVector to(final Endpoint peer, final int gidIndex, final int port)
    {
        return new AddressVector(peer.lid(), peer.gid(), gidIndex, 0, 0, 64, port, peer.deviceBytes());
    }
}
