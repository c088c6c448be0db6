package org.onesided.verbs.soft;

import org.agrona.UnsafeApi;
import org.onesided.verbs.Context;
import org.onesided.verbs.Errno;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.SharedReceiveQueue;
import org.onesided.verbs.UseCount;

/**
 * Receives that several queue pairs take from.
 */
public abstract class SoftSharedReceiveQueue implements SharedReceiveQueue, Owned
{
    private final SoftProtectionDomain protectionDomain;
    private final int maxWorkRequests;
    private final int maxElements;
    private final SpinLock lock = new SpinLock();
    private boolean closed;
    private final UseCount uses = new UseCount("destroy_srq", "the shared receive queue");

    /**
     * @param protectionDomain it belongs to.
     * @param maxWorkRequests  outstanding receives.
     * @param maxElements      scatter/gather elements of each.
     */
    protected SoftSharedReceiveQueue(
        final SoftProtectionDomain protectionDomain, final int maxWorkRequests, final int maxElements)
    {
        this.protectionDomain = protectionDomain;
        this.maxWorkRequests = maxWorkRequests;
        this.maxElements = maxElements;
    }

    @Override
    public final Context context()
    {
        return protectionDomain.context();
    }

    @Override
    public final int maxWorkRequests()
    {
        return maxWorkRequests;
    }

    @Override
    public final int postReceive(final long workRequest, final long badWorkRequest)
    {
        lock.acquire();
        try
        {
            if (closed)
            {
                UnsafeApi.putLong(badWorkRequest, workRequest);
                return Errno.EINVAL;
            }
            long request = workRequest;
            while (request != 0)
            {
                final int errno = isFull() ? Errno.ENOMEM : RequestChecks.receive(request, maxElements);
                if (errno != 0)
                {
                    UnsafeApi.putLong(badWorkRequest, request);
                    return errno;
                }
                post(request);
                request = UnsafeApi.getLong(request + ReceiveRequestDescriptor.NEXT_OFFSET);
            }
            return 0;
        }
        finally
        {
            lock.release();
        }
    }

    @Override
    public final void close()
    {
        if (uses.close())
        {
            lock.acquire();
            closed = true;
            lock.release();
            release();
            protectionDomain.uses().release();
        }
    }

    /**
     * @return whether the queue is full; under the lock.
     */
    protected abstract boolean isFull();

    /**
     * Copies a request that was found valid; under the lock.
     *
     * @param request address of an {@code ibv_recv_wr}.
     */
    protected abstract void post(long request);

    /**
     * Releases what the device holds for the queue.
     */
    protected abstract void release();

    /**
     * @return guards the receives.
     */
    protected final SpinLock lock()
    {
        return lock;
    }

    int maxElements()
    {
        return maxElements;
    }

    UseCount uses()
    {
        return uses;
    }
}
