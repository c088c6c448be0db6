package org.onesided.tools.load.output;

import java.io.Serializable;

/**
 * The store under load.
 *
 * @param kind        {@code server}, or {@code map} for one in the process itself.
 * @param address     host and port of the server; of a cluster, those of its members with commas between them; empty
 *                    for a map.
 * @param device      device of the client, such as {@code shm}; empty for a map.
 * @param shards      of the table.
 * @param regionBytes of the table's memory in bytes, -1 for a map.
 * @param hugePages   whether the table is in huge pages.
 */
public record StoreFacts(
    String kind, String address, String device, int shards, long regionBytes, boolean hugePages) implements Serializable
{
}
