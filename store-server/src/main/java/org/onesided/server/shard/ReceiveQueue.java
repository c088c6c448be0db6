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
    static final int NONE = -1;

    private final QueuePair queuePair;
    private final MemoryRange buffers;
    private final int localKey;
    private final int messageLength;
    private final int tag;
    private final boolean[] isPosted;

    ReceiveQueue(
        final QueuePair queuePair,
        final SessionGeometry geometry,
        final MemoryRange buffers,
        final int localKey,
        final int tag)
    {
        this.tag = tag;
        isPosted = new boolean[geometry.credits()];
        this.queuePair = queuePair;
        this.buffers = buffers;
        this.localKey = localKey;
        messageLength = geometry.messageLength();
    }

    /**
     * Takes a receive as completed.
     *
     * @return its index, or {@link #NONE} if no receive of that id is posted.
     */
    int onCompletion(final long id)
    {
        final long index = WorkRequestId.distance(0, id);
        if (index >= isPosted.length || !isPosted[(int)index])
        {
            return NONE;
        }
        isPosted[(int)index] = false;
        return (int)index;
    }

    long address(final int index)
    {
        return buffers.addressOf((long)index * messageLength, messageLength);
    }

    int post(final ReceiveRequests requests, final int index)
    {
        requests.at(0)
            .begin(WorkRequestId.ofReceive(tag, index))
            .element(address(index), messageLength, localKey);
        final int error = requests.post(queuePair, 1);
        isPosted[index] = error == 0;
        return error;
    }
}
