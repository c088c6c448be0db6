package org.onesided.verbs.soft;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;

/**
 * Has the transport execute the requests of a send queue in order, and completes them. If a method returns false, the
 * caller must fail the queue pair. The queue pair's lock guards it.
 */
final class SendWork
{
    /** Result of {@link #run}. */
    enum Outcome
    {
        /** No request waits. */
        EMPTY,
        /** A request failed, and completes after the earlier requests in flight. */
        PENDING,
        /** The oldest waiting request must be retried later. */
        BLOCKED,
        /** The queue pair must fail. */
        FAILED
    }

    private static final int[] COMPLETION_OPCODES =
    {
        CompletionOpcode.RDMA_WRITE, CompletionOpcode.RDMA_WRITE, CompletionOpcode.SEND, CompletionOpcode.SEND,
        CompletionOpcode.RDMA_READ, CompletionOpcode.COMP_SWAP, CompletionOpcode.FETCH_ADD
    };

    private final SendQueue sends;
    private final Transport transport;
    private final RetryTimer retryTimer;
    private final SoftCompletionQueue completions;
    private final int number;
    private final boolean signalsAll;
    private final boolean executesAtOnce;
    private long reads;
    private long readBytes;

    /**
     * @param completions gets completions of sends.
     * @param number      of the queue pair.
     * @param signalsAll  whether all requests are signaled.
     */
    SendWork(
        final SendQueue sends,
        final Transport transport,
        final RetryTimer retryTimer,
        final SoftCompletionQueue completions,
        final int number,
        final boolean signalsAll)
    {
        this.sends = sends;
        this.transport = transport;
        this.retryTimer = retryTimer;
        this.completions = completions;
        this.number = number;
        this.signalsAll = signalsAll;
        executesAtOnce = transport.executesAtOnce();
    }

    /**
     * @return READs that succeeded.
     */
    long reads()
    {
        return reads;
    }

    /**
     * @return bytes of READs that succeeded.
     */
    long readBytes()
    {
        return readBytes;
    }

    /**
     * @param request that is posted.
     * @return whether {@link #tryExecuteAtOnce} may be called for it.
     */
    boolean mayExecuteAtOnce(final long request)
    {
        return executesAtOnce && !sends.hasWaiting() && UnsafeApi.getInt(request + OPCODE_OFFSET) == Opcode.RDMA_READ;
    }

    /**
     * Executes a READ that nothing is before, without a copy in the send queue.
     *
     * @return its completion status, or {@link Transport#BLOCKED}.
     */
    int tryExecuteAtOnce(final long request, final long totalLength)
    {
        final int status = attempt(request, totalLength);
        if (status != Transport.BLOCKED)
        {
            sends.pass();
        }
        return status;
    }

    /**
     * Executes what waits, as far as that goes.
     */
    Outcome run()
    {
        if (sends.hasIssued() && !completeDone())
        {
            return Outcome.FAILED;
        }
        while (sends.hasWaiting())
        {
            final long request = sends.first();
            final long totalLength = SendQueue.totalLength(request);
            final int status = attempt(request, totalLength);
            if (status == Transport.BLOCKED)
            {
                return Outcome.BLOCKED;
            }
            if (status == Transport.PENDING)
            {
                retryTimer.end();
                sends.issue();
                if (!completeDone())
                {
                    return Outcome.FAILED;
                }
            }
            else if (sends.hasIssued())
            {
                // Completions come in the order of posting.
                return Outcome.PENDING;
            }
            else
            {
                sends.execute();
                if (!finish(request, totalLength, status))
                {
                    return Outcome.FAILED;
                }
            }
        }
        return Outcome.EMPTY;
    }

    /**
     * Completes what is under way and done.
     */
    boolean completeDone()
    {
        while (sends.hasIssued())
        {
            final long request = sends.oldest();
            if (!transport.isDone(request))
            {
                return true;
            }
            sends.execute();
            if (!finish(request, SendQueue.totalLength(request), CompletionStatus.SUCCESS))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Completes the request that was executed last.
     */
    boolean finish(final long request, final long totalLength, final int status)
    {
        retryTimer.end();
        final boolean success = status == CompletionStatus.SUCCESS;
        if (success && UnsafeApi.getInt(request + OPCODE_OFFSET) == Opcode.RDMA_READ)
        {
            reads++;
            readBytes += totalLength;
        }
        return success && !isSignaled(request) || complete(request, totalLength, status) && success;
    }

    /**
     * Completes the oldest request with an error, if there is one.
     *
     * @param status see {@link CompletionStatus}; not success.
     */
    void failOldest(final int status)
    {
        if (sends.hasUnfinished())
        {
            final long request = sends.oldest();
            sends.execute();
            complete(request, SendQueue.totalLength(request), status);
        }
    }

    /**
     * Completes all requests as flushed.
     */
    void flush()
    {
        while (sends.hasUnfinished())
        {
            failOldest(CompletionStatus.WR_FLUSH_ERR);
        }
    }

    private int attempt(final long request, final long totalLength)
    {
        if (retryTimer.rest() && !transport.isPeerGone())
        {
            return Transport.BLOCKED;
        }
        try
        {
            return transport.execute(request, totalLength);
        }
        catch (final VerbsException ex)
        {
            // This side lacks a resource. An exception in the polling thread would hold back the completions of all
            // others.
            return CompletionStatus.LOC_QP_OP_ERR;
        }
    }

    private boolean isSignaled(final long request)
    {
        return signalsAll || (UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.SIGNALED) != 0;
    }

    /** Adds a completion; whether there was room. */
    private boolean complete(final long request, final long totalLength, final int status)
    {
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        final int byteLength = opcode >= Opcode.RDMA_READ ? (int)totalLength : 0;
        return completions.add(
            sends,
            number,
            UnsafeApi.getLong(request + ID_OFFSET),
            status,
            COMPLETION_OPCODES[opcode],
            byteLength,
            0,
            0,
            sends.executed(),
            false);
    }
}
