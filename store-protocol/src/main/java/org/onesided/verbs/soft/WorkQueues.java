package org.onesided.verbs.soft;

import static org.onesided.verbs.SendRequestDescriptor.*;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import org.agrona.UnsafeApi;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;

/**
 * The work queues of a queue pair. The send queue runs while its owner posts, polls or waits; with a device that works
 * on its own, also while that does.
 */
public abstract class WorkQueues extends DeviceWork
{
    private static final int[] COMPLETION_OPCODES =
    {
        CompletionOpcode.RDMA_WRITE, CompletionOpcode.RDMA_WRITE, CompletionOpcode.SEND, CompletionOpcode.SEND,
        CompletionOpcode.RDMA_READ, CompletionOpcode.COMP_SWAP, CompletionOpcode.FETCH_ADD
    };

    final SoftContext context;
    final SoftProtectionDomain protectionDomain;
    final QueuePairInitAttributes initAttributes;
    final int number;
    final SoftCompletionQueue sendCompletions;
    final SoftCompletionQueue receiveCompletions;
    final SoftSharedReceiveQueue sharedReceives;
    final SendQueue sends;
    final ReceiveQueue receives;
    final SpinLock lock = new SpinLock();
    final Patience patience = new Patience();
    QueuePairAttributes attributes = new QueuePairAttributes();
    volatile QueuePairState state = QueuePairState.RESET;
    volatile boolean blocked;
    boolean closed;
    private long reads;
    private long readBytes;

    /**
     * @param context          it belongs to.
     * @param protectionDomain it belongs to.
     * @param initAttributes   checked ones, as granted.
     * @param number           its number.
     */
    protected WorkQueues(
        final SoftContext context,
        final SoftProtectionDomain protectionDomain,
        final QueuePairInitAttributes initAttributes,
        final int number)
    {
        this.context = context;
        this.protectionDomain = protectionDomain;
        this.initAttributes = initAttributes;
        this.number = number;
        sendCompletions = (SoftCompletionQueue)initAttributes.sendQueue();
        receiveCompletions = (SoftCompletionQueue)initAttributes.receiveQueue();
        sharedReceives = (SoftSharedReceiveQueue)initAttributes.sharedReceives();
        sends = new SendQueue(
            initAttributes.maxSends(), initAttributes.maxSendElements(), initAttributes.maxInline());
        receives = sharedReceives != null ? null :
            new ReceiveQueue(initAttributes.maxReceives(), initAttributes.maxReceiveElements());
    }

    /**
     * @return the queue pair's number.
     */
    public final int number()
    {
        return number;
    }

    /**
     * @return what the queue pair was made with.
     */
    public final QueuePairInitAttributes initAttributes()
    {
        return initAttributes;
    }

    /**
     * @return what it was made from.
     */
    protected final SoftProtectionDomain protectionDomain()
    {
        return protectionDomain;
    }

    /**
     * @return the attributes now; not to be changed.
     */
    protected final QueuePairAttributes attributes()
    {
        return attributes;
    }

    /**
     * @return the state now, without looking at the peer.
     */
    protected final QueuePairState currentState()
    {
        return state;
    }

    /**
     * @return guards all that the queue pair has.
     */
    protected final SpinLock lock()
    {
        return lock;
    }

    /**
     * @return whether the queue pair was destroyed; under the lock.
     */
    protected final boolean isClosed()
    {
        return closed;
    }

    /**
     * @return its own receives; null with a shared receive queue.
     */
    protected final ReceiveQueue receives()
    {
        return receives;
    }

    /**
     * @return the shared receive queue, or null.
     */
    protected final SoftSharedReceiveQueue sharedReceives()
    {
        return sharedReceives;
    }

    /**
     * @return gets completions of sends.
     */
    protected final SoftCompletionQueue sendCompletions()
    {
        return sendCompletions;
    }

    /**
     * @return gets completions of receives.
     */
    protected final SoftCompletionQueue receiveCompletions()
    {
        return receiveCompletions;
    }

    /**
     * The peer does not answer yet.
     *
     * @return {@link #BLOCKED}, or the error if it was waited for long enough.
     */
    protected final int waitForPeer()
    {
        return waitForPeer(0);
    }

    /**
     * The peer does not answer yet.
     *
     * @param leastNs how long to wait for it however soon the attributes would give up, in nanoseconds.
     * @return {@link #BLOCKED}, or the error if it was waited for long enough.
     */
    protected final int waitForPeer(final long leastNs)
    {
        return patience.waitForPeer(attributes, leastNs) ? BLOCKED : CompletionStatus.RETRY_EXC_ERR;
    }

    /**
     * The peer has no receive.
     *
     * @param timerCode the peer's minimum timer.
     * @return {@link #BLOCKED}, or the error if it was tried often enough.
     */
    protected final int waitForReceive(final int timerCode)
    {
        return patience.waitForReceive(attributes, timerCode) ? BLOCKED : CompletionStatus.RNR_RETRY_EXC_ERR;
    }

    /**
     * There is no room on the way to the peer.
     *
     * @return {@link #BLOCKED}.
     */
    protected final int waitForRoom()
    {
        patience.waitForRoom();
        return BLOCKED;
    }

    /**
     * Checks the local buffers of a request.
     *
     * @param request address of the {@code ibv_send_wr}.
     * @param access  that they need.
     * @return whether all of them may be used.
     */
    protected final boolean mayUseBuffers(final long request, final int access)
    {
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        return (UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.INLINE) != 0 ||
            mayUse(elements, UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET), access);
    }

    /**
     * Checks the local buffers of a request.
     *
     * @param elements address of an {@code ibv_sge} array.
     * @param count    of elements.
     * @param access   that they need.
     * @return whether all of them may be used.
     */
    protected final boolean mayUse(final long elements, final int count, final int access)
    {
        for (int i = 0; i < count; i++)
        {
            final long element = elements + (long)i * ElementDescriptor.LENGTH;
            final long length = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL;
            if (length != 0)
            {
                final SoftMemoryRegion region =
                    context.regions().find(UnsafeApi.getInt(element + ElementDescriptor.LOCAL_KEY_OFFSET));
                final long address = UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET);
                if (region == null || !region.grants(protectionDomain, access, address, length))
                {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Finds a memory region of this side's by its key.
     *
     * @param key local or remote.
     * @return the region, or null if there is none; it may be deregistered once the lock is released.
     */
    protected final SoftMemoryRegion region(final int key)
    {
        return context.regions().find(key);
    }

    /**
     * Adds the completion of a receive.
     *
     * @param id         its number.
     * @param status     see {@link CompletionStatus}; other than success, the queue pair must {@link #fail} next.
     * @param opcode     see {@link CompletionOpcode}.
     * @param byteLength of the message.
     * @param immediate  data as it came.
     * @param flags      of the completion.
     * @param solicited  whether the sender asked to wake this side.
     */
    protected final void completeReceive(
        final long id,
        final int status,
        final int opcode,
        final int byteLength,
        final int immediate,
        final int flags,
        final boolean solicited)
    {
        if (!receiveCompletions.add(this, id, status, opcode, byteLength, immediate, flags, 0, solicited))
        {
            fail(null);
        }
    }

    /**
     * @return whether requests are under way.
     */
    protected final boolean hasIssued()
    {
        return sends.hasIssued();
    }

    /**
     * @param wanted says which, by the address of an {@code ibv_send_wr}.
     * @return address of the oldest request under way that is wanted, or 0.
     */
    protected final long findIssued(final LongPredicate wanted)
    {
        return sends.findIssued(wanted);
    }

    /**
     * @param request address of an {@code ibv_send_wr} in the send queue.
     * @return length of its message in bytes.
     */
    protected static long messageLength(final long request)
    {
        return SendQueue.totalLength(request);
    }

    /**
     * Completes what is done; then the oldest request that is left fails, and with it the queue pair.
     *
     * @param status of the oldest, see {@link CompletionStatus}; not success.
     * @param event  to report, or null.
     */
    protected final void failOldest(final int status, final AsyncEvent.Type event)
    {
        if (state != QueuePairState.ERR && completeDone())
        {
            if (sends.hasUnfinished())
            {
                final long request = sends.oldest();
                sends.execute();
                addSend(request, SendQueue.totalLength(request), status);
            }
            fail(event);
        }
    }

    /**
     * Completes what is done, then goes to ERR and flushes the other requests.
     */
    protected final void failRest()
    {
        if (state != QueuePairState.ERR && completeDone())
        {
            fail(null);
        }
    }

    /**
     * Goes to ERR and flushes all requests.
     *
     * @param event to report, or null.
     */
    protected final void fail(final AsyncEvent.Type event)
    {
        if (state != QueuePairState.ERR)
        {
            state = QueuePairState.ERR;
            publish();
            if (event != null)
            {
                context.raise(new AsyncEvent(event, number));
            }
            if (sharedReceives != null)
            {
                context.raise(new AsyncEvent(AsyncEvent.Type.QP_LAST_WQE_REACHED, number));
            }
            flush();
        }
    }

    /**
     * Makes those look again who sleep for this queue pair, or are about to, for something that they do not look at
     * again once others see them wait.
     */
    protected final void ringChannels()
    {
        ring(sendCompletions);
        if (receiveCompletions != sendCompletions)
        {
            ring(receiveCompletions);
        }
    }

    final long waitLeftNs(final long nowNs)
    {
        return blocked ? patience.leftNs(nowNs) : Timers.FOR_EVER_NS;
    }

    /** Adds what it has done to counters, from any thread. */
    final void addCounters(final LongAdder readsDone, final LongAdder bytesRead)
    {
        lock.acquire();
        readsDone.add(reads);
        bytesRead.add(readBytes);
        lock.release();
    }

    final void freeSends(final long upTo)
    {
        sends.free(upTo);
    }

    final void tryFetchAhead(final long workRequest)
    {
        try
        {
            fetchAhead(workRequest);
        }
        catch (final VerbsException ex)
        {
            // The request that cannot be done will tell, by its completion.
        }
    }

    /**
     * Executes a READ that nothing is before and nothing holds up, without a copy in the send queue.
     *
     * @return whether it is done, well or not.
     */
    final boolean runAtOnce(final long request)
    {
        if (state == QueuePairState.ERR || sends.hasWaiting() || !executesAtOnce() ||
            UnsafeApi.getInt(request + OPCODE_OFFSET) != Opcode.RDMA_READ)
        {
            return false;
        }
        final long totalLength = RequestChecks.totalLength(request);
        final int status = attempt(request, totalLength);
        if (status == BLOCKED)
        {
            return false;
        }
        sends.pass();
        finish(request, totalLength, status);
        return true;
    }

    void run()
    {
        if (state == QueuePairState.ERR)
        {
            flush();
            return;
        }
        final boolean wasBlocked = blocked;
        final long knownDeadlineNs = wasBlocked ? patience.deadlineNs() : Timers.FOR_EVER_NS;
        if (sends.hasIssued() && !completeDone())
        {
            return;
        }
        while (sends.hasWaiting())
        {
            final long request = sends.first();
            final long totalLength = SendQueue.totalLength(request);
            final int status = attempt(request, totalLength);
            if (status == PENDING)
            {
                patience.end();
                sends.issue();
                if (!completeDone())
                {
                    return;
                }
                continue;
            }
            if (status != BLOCKED && sends.hasIssued())
            {
                // Completions come in the order of posting.
                return;
            }
            if (status == BLOCKED)
            {
                blocked = true;
                if (!wasBlocked || patience.deadlineNs() != knownDeadlineNs)
                {
                    // Another thread may sleep for longer than until the time to try again.
                    ringIfAwaited(sendCompletions);
                    ringIfAwaited(receiveCompletions);
                }
                return;
            }
            sends.execute();
            if (!finish(request, totalLength, status))
            {
                return;
            }
        }
        if (blocked)
        {
            blocked = false;
        }
    }

    /** Completes what is under way and done; says whether the queue pair can go on. */
    private boolean completeDone()
    {
        while (sends.hasIssued())
        {
            final long request = sends.oldest();
            if (!isDone(request))
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

    /** Completes the request that was executed last; says whether the queue pair can go on. */
    private boolean finish(final long request, final long totalLength, final int status)
    {
        patience.end();
        final boolean success = status == CompletionStatus.SUCCESS;
        if (success && UnsafeApi.getInt(request + OPCODE_OFFSET) == Opcode.RDMA_READ)
        {
            reads++;
            readBytes += totalLength;
        }
        if (success && !isSignaled(request) || addSend(request, totalLength, status) && success)
        {
            return true;
        }
        fail(null);
        return false;
    }

    private int attempt(final long request, final long totalLength)
    {
        if (patience.isResting() && !isPeerGone())
        {
            return BLOCKED;
        }
        try
        {
            return execute(request, totalLength);
        }
        catch (final VerbsException ex)
        {
            // This side lacks what it takes. Thrown to whoever polls, it would keep all others' completions back.
            return CompletionStatus.LOC_QP_OP_ERR;
        }
    }

    private boolean isSignaled(final long request)
    {
        return initAttributes.signalAll() || (UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.SIGNALED) != 0;
    }

    private boolean addSend(final long request, final long totalLength, final int status)
    {
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        final int byteLength = opcode >= Opcode.RDMA_READ ? (int)totalLength : 0;
        return sendCompletions.add(
            this,
            UnsafeApi.getLong(request + ID_OFFSET),
            status,
            COMPLETION_OPCODES[opcode],
            byteLength,
            0,
            0,
            sends.executed(),
            false);
    }

    void flush()
    {
        blocked = false;
        patience.end();
        while (sends.hasUnfinished())
        {
            final long request = sends.oldest();
            sends.execute();
            addSend(request, SendQueue.totalLength(request), CompletionStatus.WR_FLUSH_ERR);
        }
        while (sharedReceives == null && !receives.isEmpty())
        {
            final long id = receives.id(receives.consumed());
            receives.consume();
            receiveCompletions.add(
                this, id, CompletionStatus.WR_FLUSH_ERR, CompletionOpcode.RECV, 0, 0, 0, 0, false);
        }
    }

    private static void ringIfAwaited(final SoftCompletionQueue completionQueue)
    {
        if (completionQueue.channel() instanceof SoftCompletionChannel channel)
        {
            channel.ringIfAwaited();
        }
    }

    private static void ring(final SoftCompletionQueue completionQueue)
    {
        if (completionQueue.channel() instanceof SoftCompletionChannel channel)
        {
            channel.ring();
        }
    }

}
