package org.onesided.verbs;

import org.agrona.UnsafeApi;

/**
 * A fixed array of receive work requests in native memory, with one flyweight each: filled, chained and posted again
 * and again without allocating. Not thread-safe.
 */
public final class ReceiveRequests implements AutoCloseable
{
    private final NativeArray memory;
    private final ReceiveRequest[] requests;
    private final long badWorkRequest;

    /**
     * @param capacity    how many requests, from 1.
     * @param maxElements scatter/gather elements of each, from 1.
     */
    public ReceiveRequests(final int capacity, final int maxElements)
    {
        final long elementsLength = (long)maxElements * ElementDescriptor.LENGTH;
        final long stride = ReceiveRequestDescriptor.LENGTH + elementsLength;
        memory = new NativeArray(capacity * stride + Long.BYTES);
        requests = new ReceiveRequest[capacity];
        for (int i = 0; i < capacity; i++)
        {
            final long address = memory.range().addressOf(i * stride, stride);
            requests[i] = new ReceiveRequest(address, address + ReceiveRequestDescriptor.LENGTH, maxElements);
        }
        badWorkRequest = memory.range().addressOf(capacity * stride, Long.BYTES);
    }

    /**
     * @return how many requests there are.
     */
    public int capacity()
    {
        return requests.length;
    }

    /**
     * @param index from 0.
     * @return the request in that place.
     */
    public ReceiveRequest at(final int index)
    {
        return requests[index];
    }

    /**
     * Chains the first requests and posts them with one call.
     *
     * @param queuePair to post to.
     * @param count     how many, from 1.
     * @return 0 or an errno; then {@link #firstRefused()} tells how far it came.
     */
    public int post(final QueuePair queuePair, final int count)
    {
        chain(count);
        return queuePair.postReceive(requests[0].address(), badWorkRequest);
    }

    /**
     * Chains the first requests and posts them to a shared receive queue with one call.
     *
     * @param queue to post to.
     * @param count how many, from 1.
     * @return 0 or an errno; then {@link #firstRefused()} tells how far it came.
     */
    public int post(final SharedReceiveQueue queue, final int count)
    {
        chain(count);
        return queue.postReceive(requests[0].address(), badWorkRequest);
    }

    /**
     * @return index of the first request that the last failed {@link #post} refused, or -1 if it was none of these.
     */
    public int firstRefused()
    {
        final long bad = UnsafeApi.getLong(badWorkRequest);
        for (int i = 0; i < requests.length; i++)
        {
            if (requests[i].address() == bad)
            {
                return i;
            }
        }
        return -1;
    }

    /**
     * Frees the memory; the requests must not be used any more.
     */
    @Override
    public void close()
    {
        memory.close();
    }

    private void chain(final int count)
    {
        for (int i = 1; i < count; i++)
        {
            requests[i - 1].next(requests[i]);
        }
        requests[count - 1].next(null);
    }
}
