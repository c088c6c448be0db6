package org.onesided.client.types;

/**
 * A server, as a session found it.
 *
 * @param address        host and port; of a cluster, those of its members with commas between them.
 * @param serverLife     names one life of the server process.
 * @param tableId        names the table.
 * @param shards         of the table, each with one writer.
 * @param device         this side's device, and for RDMA its port, GID or LID, and MTU, such as {@code shm}.
 * @param readDepth      READs that a queue pair may have outstanding.
 * @param credits        requests that a session may have outstanding per shard.
 * @param messageLength  length of the longest request or answer in bytes.
 * @param maxKeyLength   length of the longest key in bytes.
 * @param maxValueLength length of the longest value in bytes.
 * @param regionLength   most memory of the table in bytes.
 * @param hugePages      whether the table is in huge pages.
 * @param leaseMs        after so many milliseconds without a sign of life the server ends a session.
 * @param eviction       which records leave when the memory is full, as the server's setting names it; {@code none} if
 *                       puts are refused then.
 * @param defaultTtlMs   for how long a key stays whose put says nothing about it, in milliseconds; 0 for ever.
 */
public record ServerInfo(
    String address,
    long serverLife,
    long tableId,
    int shards,
    String device,
    int readDepth,
    int credits,
    int messageLength,
    int maxKeyLength,
    int maxValueLength,
    long regionLength,
    boolean hugePages,
    long leaseMs,
    String eviction,
    long defaultTtlMs)
{
    /**
     * Gives this server another address.
     *
     * @param other the address.
     * @return the same else.
     */
    public ServerInfo at(final String other)
    {
        return new ServerInfo(other, serverLife, tableId, shards, device, readDepth, credits, messageLength,
            maxKeyLength, maxValueLength, regionLength, hugePages, leaseMs, eviction, defaultTtlMs);
    }

    /**
     * @return whether keys may leave though nobody deletes them.
     */
    public boolean evicts()
    {
        return !"none".equals(eviction);
    }
}
