package org.onesided.verbs.soft;

import org.agrona.UnsafeApi;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReceiveRequestDescriptor;

/**
 * The receives of a queue pair, its own or shared ones, and their completions. The queue pair's lock guards it.
 */
final class ReceiveWork
{
    private final int number;
    private final int maxElements;
    /** Identifies the queue pair in its completion queues. */
    private final SendQueue owner;
    private final SoftCompletionQueue completions;
    private final SoftSharedReceiveQueue shared;
    /** Null with a shared receive queue. */
    private final ReceiveQueue own;

    ReceiveWork(final QueuePairInitAttributes attributes, final SendQueue owner, final int number)
    {
        this.owner = owner;
        this.number = number;
        maxElements = attributes.maxReceiveElements();
        completions = (SoftCompletionQueue)attributes.receiveQueue();
        shared = (SoftSharedReceiveQueue)attributes.sharedReceives();
        own = shared != null ? null : new ReceiveQueue(attributes.maxReceives(), maxElements);
    }

    ReceiveQueue own()
    {
        return own;
    }

    SoftSharedReceiveQueue shared()
    {
        return shared;
    }

    SoftCompletionQueue completions()
    {
        return completions;
    }

    /**
     * Posts receives of the queue pair's own.
     *
     * @param workRequest    address of the first {@code ibv_recv_wr}.
     * @param badWorkRequest is set to the first that was refused.
     * @return 0 or an errno.
     */
    int post(final long workRequest, final long badWorkRequest)
    {
        int errno = shared != null ? Errno.EINVAL : 0;
        long request = workRequest;
        while (errno == 0 && request != 0)
        {
            errno = own.isFull() ? Errno.ENOMEM : RequestChecks.receive(request, maxElements);
            if (errno == 0)
            {
                own.add(request);
                request = UnsafeApi.getLong(request + ReceiveRequestDescriptor.NEXT_OFFSET);
            }
        }
        if (errno != 0)
        {
            UnsafeApi.putLong(badWorkRequest, request);
        }
        return errno;
    }

    /**
     * Adds a completion.
     *
     * @return false if the completion queue is broken.
     */
    boolean complete(
        final long id,
        final int status,
        final int opcode,
        final int byteLength,
        final int immediate,
        final int flags,
        final boolean solicited)
    {
        return completions.add(owner, number, id, status, opcode, byteLength, immediate, flags, 0, solicited);
    }

    /**
     * Completes all receives of the queue pair's own as flushed.
     */
    void flush()
    {
        while (own != null && !own.isEmpty())
        {
            final long id = own.id(own.consumed());
            own.consume();
            complete(id, CompletionStatus.WR_FLUSH_ERR, CompletionOpcode.RECV, 0, 0, 0, false);
        }
    }

    /**
     * Forgets all receives of the queue pair's own.
     */
    void clear()
    {
        if (own != null)
        {
            own.clear();
        }
    }

    void close()
    {
        if (own != null)
        {
            own.close();
        }
    }
}
