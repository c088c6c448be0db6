package org.onesided.verbs.ibv;

import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.SharedReceiveQueue;
import org.onesided.verbs.UseCount;

/**
 * A shared receive queue of libibverbs.
 */
final class IbvSharedReceiveQueue implements SharedReceiveQueue
{
    private final NativeDomain domain;
    private final long handle;
    private final long postFunction;
    private final int maxWorkRequests;
    private final int maxElements;
    private final UseCount uses = new UseCount("destroy_srq", "the shared receive queue");

    /** {@link #handle} as long as it may be posted to, otherwise 0. */
    private volatile long postable;

    /**
     * @param domain          whose use is acquired already.
     * @param maxWorkRequests outstanding receives it must hold at least.
     * @param maxElements     elements that a receive may have.
     */
    IbvSharedReceiveQueue(final NativeDomain domain, final int maxWorkRequests, final int maxElements)
    {
        this.domain = domain;
        final NativeContext context = domain.context();
        postFunction = DirectCalls.function(context.handle(), ContextDescriptor.POST_SRQ_RECV_OFFSET);
        try (NativeArray init = new NativeArray(SharedReceiveInitDescriptor.LENGTH))
        {
            final long base = init.range().address();
            UnsafeApi.putInt(base + SharedReceiveInitDescriptor.MAX_WR_OFFSET, maxWorkRequests);
            UnsafeApi.putInt(base + SharedReceiveInitDescriptor.MAX_SGE_OFFSET, maxElements);
            handle = context.library().calls().ibv_create_srq(domain.handle(), base);
            if (handle == 0)
            {
                throw IbvErrors.failure("create_srq", context.library().errno(),
                    "device=" + context.device().name() + " max_wr=" + maxWorkRequests + " max_sge=" + maxElements);
            }
            new MadeCheck("create_srq", handle)
                .address("ibv_srq.context", SharedReceiveQueueDescriptor.CONTEXT_OFFSET, context.handle())
                .address("ibv_srq.pd", SharedReceiveQueueDescriptor.PD_OFFSET, domain.handle())
                .orUndo(() -> context.library().calls().ibv_destroy_srq(handle));
            this.maxWorkRequests = UnsafeApi.getInt(base + SharedReceiveInitDescriptor.MAX_WR_OFFSET);
            this.maxElements = UnsafeApi.getInt(base + SharedReceiveInitDescriptor.MAX_SGE_OFFSET);
        }
        postable = handle;
    }

    @Override
    public int maxWorkRequests()
    {
        return maxWorkRequests;
    }

    @Override
    public int postReceive(final long workRequest, final long badWorkRequest)
    {
        final long queue = postable;
        if (queue == 0)
        {
            UnsafeApi.putLong(badWorkRequest, workRequest);
            return Errno.EINVAL;
        }
        final long before = RequestChecks.receives(workRequest, maxElements);
        return Posting.post(
            postFunction, queue, workRequest, badWorkRequest, before, ReceiveRequestDescriptor.NEXT_OFFSET);
    }

    @Override
    public void close()
    {
        if (uses.close())
        {
            postable = 0;
            final NativeContext context = domain.context();
            final int errno = context.library().calls().ibv_destroy_srq(handle);
            domain.uses().release();
            if (errno != 0)
            {
                throw IbvErrors.failure("destroy_srq", errno, "device=" + context.device().name());
            }
        }
    }

    NativeContext context()
    {
        return domain.context();
    }

    long handle()
    {
        return handle;
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
