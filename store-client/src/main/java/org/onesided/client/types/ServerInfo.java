package org.onesided.client.types;

/**
 * A server, as a session found it.
 *
 * @param address        host and port.
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
    long leaseMs)
{
}
