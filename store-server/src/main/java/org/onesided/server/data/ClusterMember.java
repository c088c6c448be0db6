package org.onesided.server.data;

import java.util.Objects;

/**
 * A member of a cluster, as its founding says.
 *
 * @param number      from 1.
 * @param address     host and port where clients connect.
 * @param peerAddress host and port where other members connect.
 */
public record ClusterMember(long number, String address, String peerAddress)
{
    /**
     * Checks the number.
     *
     * @param number      from 1.
     * @param address     host and port where clients connect.
     * @param peerAddress host and port where other members connect.
     */
    public ClusterMember
    {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(peerAddress, "peerAddress");
        if (number < 1)
        {
            throw new IllegalArgumentException("a member's number must be at least 1: number=" + number);
        }
    }
}
