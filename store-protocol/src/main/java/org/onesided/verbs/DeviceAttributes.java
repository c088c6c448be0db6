package org.onesided.verbs;

/**
 * Limits of a device (ibv_query_device(3)).
 *
 * @param identity                       what device it is.
 * @param maxQueuePairs                  queue pairs.
 * @param maxWorkRequests                outstanding requests of one queue.
 * @param maxScatterGather               scatter/gather elements of one request.
 * @param maxCompletionQueues            completion queues.
 * @param maxCompletions                 completions that one queue can hold.
 * @param maxMemoryRegions               memory regions.
 * @param maxMemoryRegionLength          length of one memory region in bytes.
 * @param maxProtectionDomains           protection domains.
 * @param maxReadAtomic                  READs and atomics that a queue pair can answer at a time.
 * @param maxInitiatedReadAtomic         READs and atomics that a queue pair can have outstanding.
 * @param maxSharedReceiveQueues         shared receive queues.
 * @param maxSharedReceiveWorkRequests   outstanding receives of one shared receive queue.
 * @param maxSharedReceiveScatterGather  elements of a receive in a shared receive queue.
 * @param completionVectors              completion vectors, numbered from 0.
 * @param atomics                        whether peers may compare-and-swap and fetch-and-add.
 * @param portCount                      ports, numbered from 1.
 */
public record DeviceAttributes(
    DeviceIdentity identity,
    int maxQueuePairs,
    int maxWorkRequests,
    int maxScatterGather,
    int maxCompletionQueues,
    int maxCompletions,
    int maxMemoryRegions,
    long maxMemoryRegionLength,
    int maxProtectionDomains,
    int maxReadAtomic,
    int maxInitiatedReadAtomic,
    int maxSharedReceiveQueues,
    int maxSharedReceiveWorkRequests,
    int maxSharedReceiveScatterGather,
    int completionVectors,
    boolean atomics,
    int portCount)
{
}
