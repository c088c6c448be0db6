package org.onesided.client.bootstrap;

import java.util.List;

/**
 * What a server offers to a client that has no session yet.
 *
 * @param devices that can be used now, by name.
 * @param cluster that the server is a member of; null if it is alone.
 */
public record Offer(List<String> devices, ClusterMap cluster)
{
    /**
     * Copies the list.
     *
     * @param devices that can be used now, by name.
     * @param cluster that the server is a member of; null if it is alone.
     */
    public Offer
    {
        devices = List.copyOf(devices);
    }
}
