package org.onesided.server.shard;

import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequests;

/**
 * A queue pair's receives: as many buffers as the session has credits, each either posted or held by a request that
 * was not answered yet.
 */
final class ReceiveQueue
{
    /** Tells the number of a receive from that of a send. */
    static final long RECEIVE = 1L << 62;

    private final QueuePair queuePair;
    private final MemoryRange buffers;
    private final int localKey;
    private final int messageLength;

    ReceiveQueue(
        final QueuePair queuePair, final SessionGeometry geometry, final MemoryRange buffers, final int localKey)
    {
        this.queuePair = queuePair;
        this.buffers = buffers;
        this.localKey = localKey;
        messageLength = geometry.messageLength();
    }

    static boolean isReceive(final long id)
    {
        return (id & RECEIVE) != 0;
    }

    static int index(final long id)
    {
        return (int)id;
    }

    long address(final int index)
    {
        return buffers.addressOf((long)index * messageLength, messageLength);
    }

    int post(final ReceiveRequests requests, final int index)
    {
        requests.at(0).begin(RECEIVE | index).element(address(index), messageLength, localKey);
        return requests.post(queuePair, 1);
    }
}
