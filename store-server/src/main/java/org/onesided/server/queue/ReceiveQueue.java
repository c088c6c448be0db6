package org.onesided.server.queue;

import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequest;
import org.onesided.verbs.ReceiveRequests;

/**
 * A queue pair's receives: one buffer per credit of the session, either posted or held by an unanswered request.
 */
public final class ReceiveQueue
{
    /** Stands for no receive. */
    public static final int NONE = -1;

    private final QueuePair queuePair;
    private final MemoryRange buffers;
    private final int localKey;
    private final int messageLength;
    private final int tag;
    private final boolean[] isPosted;

    /**
     * @param queuePair whose receives these are.
     * @param geometry  of the shard's sessions.
     * @param buffers   one message for each credit.
     * @param localKey  of the buffers.
     * @param tag       of the queue pair.
     */
    public ReceiveQueue(
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
     * @param id of the work request.
     * @return its index, or {@link #NONE} if no receive of that id is posted.
     */
    public int onCompletion(final long id)
    {
        final int index = indexOf(id);
        if (index != NONE)
        {
            isPosted[index] = false;
        }
        return index;
    }

    /**
     * @param id of a work request.
     * @return index of the receive that is posted with that id, or {@link #NONE} if none is.
     */
    public int indexOf(final long id)
    {
        final long index = WorkRequestId.distance(0, id);
        return index < isPosted.length && isPosted[(int)index] ? (int)index : NONE;
    }

    /**
     * @param index of a receive.
     * @return address of its buffer.
     */
    public long address(final int index)
    {
        return buffers.addressOf((long)index * messageLength, messageLength);
    }

    /**
     * Adds a receive to what is about to be posted.
     *
     * @param request to be filled.
     * @param index   of the receive.
     */
    public void add(final ReceiveRequest request, final int index)
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
     * @param requests to post with.
     * @param index    of the receive.
     * @return 0 or an errno.
     */
    public int post(final ReceiveRequests requests, final int index)
    {
        fill(requests.at(0), index);
        final int error = requests.post(queuePair, 1);
        isPosted[index] = error == 0;
        return error;
    }
}
