package org.onesided.chaos;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.SendFlags;

/**
 * A send request on its way: where it is, and what will happen to it.
 */
final class Request
{
    final long id;
    final int opcode;
    final int flags;
    final long totalLength;
    final SendFate fate;
    /** Address of the copy; its id is another one. */
    long copy;
    /** The next of the fate's parts. */
    int next;
    /** Parts that were posted and did not complete yet. */
    int outstanding;
    int status = CompletionStatus.SUCCESS;
    /** Before then its next part is not posted, or its completion not shown. */
    long notBeforeNs;
    boolean hasStalled;
    /** Of a READ that is fetched twice: what the bytes of each part were that is being fetched again. */
    long[] fetched;
    boolean isHeldBack;

    /**
     * @param request address of what its poster wrote.
     * @param fate    of it.
     */
    Request(final long request, final SendFate fate)
    {
        this.fate = fate;
        id = UnsafeApi.getLong(request + ID_OFFSET);
        opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        flags = UnsafeApi.getInt(request + FLAGS_OFFSET);
        totalLength = SendSlots.totalLength(request);
    }

    boolean isRead()
    {
        return opcode == Opcode.RDMA_READ;
    }

    boolean isFenced()
    {
        return (flags & SendFlags.FENCE) != 0;
    }

    boolean isSignaled()
    {
        return (flags & SendFlags.SIGNALED) != 0;
    }

    /** Whether its next part is one that was fetched before. */
    boolean isNextFetchedAgain()
    {
        return next >= fate.cuts.length - 1;
    }

    /** Nothing of it is to be posted any more. */
    boolean isPosted()
    {
        return next == fate.order.length;
    }

    boolean isDone()
    {
        return isPosted() && outstanding == 0;
    }

    /** Posts no more of it; the first reason stays. */
    void fail(final int why)
    {
        status = status == CompletionStatus.SUCCESS ? why : status;
        next = fate.order.length;
    }
}
