package org.onesided.verbs;

/**
 * What two queue pairs tell each other to become connected; the same record serves all devices.
 *
 * @param queuePairNumber of this side.
 * @param lid             of this side's port, 0 where addressing is by GID.
 * @param gid             of this side's port.
 * @param psn             first packet sequence number that this side sends, 24 bits.
 * @param mtu             largest path MTU of this side's port in bytes.
 * @param readDepth       READs and atomics that this side can answer at a time.
 * @param initiatorDepth  READs and atomics that this side can have outstanding.
 * @param deviceBytes     see {@link QueuePair#deviceBytes}.
 */
public record Endpoint(
    int queuePairNumber,
    int lid,
    Gid gid,
    int psn,
    int mtu,
    int readDepth,
    int initiatorDepth,
    byte[] deviceBytes)
{
    /**
     * @param other GID.
     * @return the same endpoint there.
     */
    public Endpoint at(final Gid other)
    {
        return new Endpoint(
            queuePairNumber, lid, other, psn, mtu, readDepth, initiatorDepth, deviceBytes);
    }
}
