package org.onesided.server.shard;

import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequest;
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
        final int index = indexOf(id);
        if (index != NONE)
        {
            isPosted[index] = false;
        }
        return index;
    }

    /** Index of a receive that is posted, or {@link #NONE} if none of that id is. */
    int indexOf(final long id)
    {
        final long index = WorkRequestId.distance(0, id);
        return index < isPosted.length && isPosted[(int)index] ? (int)index : NONE;
    }

    long address(final int index)
    {
        return buffers.addressOf((long)index * messageLength, messageLength);
    }

    /** Adds a receive to what is about to be posted. */
    void add(final ReceiveRequest request, final int index)
    {
        fill(request, index);
        isPosted[index] = true;
    }

    private void fill(final ReceiveRequest request, final int index)
    {
        request.begin(WorkRequestId.ofReceive(tag, index)).element(address(index), messageLength, localKey);
    }

    /**
     * Posts a receive at once.
     *
     * @return 0 or an errno.
     */
    int post(final ReceiveRequests requests, final int index)
    {
        fill(requests.at(0), index);
        final int error = requests.post(queuePair, 1);
        isPosted[index] = error == 0;
        return error;
    }
}
