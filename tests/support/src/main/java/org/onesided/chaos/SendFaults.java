package org.onesided.chaos;

import static org.onesided.verbs.SendRequestDescriptor.*;

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.UnsafeApi;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.SendFlags;

/**
 * The send queue of a queue pair: requests wait here, go to the wrapped queue pair whole or by parts, and complete in
 * the order in which they were posted. Guarded by the queue pair.
 */
final class SendFaults implements AutoCloseable
{
    private static final int POSITION_BITS = 40;
    private static final long POSITION_MASK = (1L << POSITION_BITS) - 1;
    private static final int[] COMPLETION_OPCODES = {
        CompletionOpcode.RDMA_WRITE,
        CompletionOpcode.RDMA_WRITE,
        CompletionOpcode.SEND,
        CompletionOpcode.SEND,
        CompletionOpcode.RDMA_READ,
        CompletionOpcode.COMP_SWAP,
        CompletionOpcode.FETCH_ADD};

    private final ChaosContext context;
    private final Faults faults;
    private final long object;
    private final ChaosQueuePair owner;
    private final QueuePair wrapped;
    private final ChaosCompletionQueue queue;
    private final int capacity;
    private final int wrappedCapacity;
    private final Request[] requests;
    private final SendSlots slots;
    private final NativeArray refused = new NativeArray(Long.BYTES);
    /** Changes with each RESET, so that what was posted before is known. */
    private long life;
    private long posted;
    private long head;
    private final AtomicLong freed = new AtomicLong();
    private int outstanding;
    private int refusal;
    private boolean hasFailed;

    /**
     * @param context of the queue pair.
     * @param object  its number for decisions.
     * @param owner   the queue pair; what it was granted is known.
     * @param wrapped the wrapped queue pair.
     * @param queue   gets the completions.
     */
    SendFaults(
        final ChaosContext context,
        final long object,
        final ChaosQueuePair owner,
        final QueuePair wrapped,
        final ChaosCompletionQueue queue)
    {
        this.context = context;
        this.object = object;
        this.owner = owner;
        this.wrapped = wrapped;
        this.queue = queue;
        faults = context.faults();
        final QueuePairInitAttributes granted = owner.initAttributes();
        capacity = granted.maxSends();
        wrappedCapacity = wrapped.initAttributes().maxSends();
        requests = new Request[capacity];
        slots = new SendSlots(capacity, Math.max(1, granted.maxSendElements()), granted.maxInline());
    }

    int post(final long request, final long nowNs)
    {
        if (posted - freed.get() >= capacity)
        {
            return Errno.ENOMEM;
        }
        final int errno = check(request);
        if (errno != 0)
        {
            return errno;
        }
        final SendFate fate = new SendFate(
            context.plan(),
            object,
            posted,
            UnsafeApi.getInt(request + OPCODE_OFFSET),
            UnsafeApi.getLong(request + REMOTE_ADDRESS_OFFSET),
            SendSlots.totalLength(request));
        final Request added = new Request(request, fate);
        added.copy = slots.copy(posted, request, life << POSITION_BITS | posted);
        requests[(int)(posted % capacity)] = added;
        posted++;
        progress(nowNs);
        if (refusal != 0)
        {
            final int errnoOfWrapped = refusal;
            refusal = 0;
            posted--;
            return errnoOfWrapped;
        }
        if (faults.isHeard())
        {
            faults.tell("qp=" + object + " send=" + (posted - 1) + " " + Opcode.name(added.opcode) + " " + fate);
        }
        return 0;
    }

    /**
     * Posts what may be posted now, and completes what is done.
     *
     * @return whether the wrapped device got something to do.
     */
    boolean progress(final long nowNs)
    {
        if (head == posted)
        {
            return false;
        }
        if (hasFailed || wrapped.state() == QueuePairState.ERR)
        {
            flush();
        }
        boolean hasPosted = false;
        boolean arePosted = true;
        boolean areDone = true;
        for (long position = head; position < posted; position++)
        {
            final Request request = at(position);
            if (!request.isPosted())
            {
                final boolean mayStart = request.isFenced() ? areDone : arePosted || request.fate.overtakes;
                final boolean isFirst = request.next == 0;
                if (isFirst && !mayStart)
                {
                    break;
                }
                hasPosted |= postParts(position, request, nowNs);
                if (request.next == 0)
                {
                    break;
                }
                if (isFirst && !arePosted)
                {
                    faults.add(Faults.Kind.OVERTAKE);
                }
            }
            arePosted &= request.isPosted();
            areDone &= request.isDone();
        }
        complete(nowNs);
        return hasPosted;
    }

    void partDone(final long token, final int status)
    {
        final long position = token & POSITION_MASK;
        if (token >>> POSITION_BITS != life || position < head || position >= posted)
        {
            return;
        }
        final Request request = at(position);
        request.outstanding--;
        outstanding--;
        if (status != CompletionStatus.SUCCESS)
        {
            request.fail(status);
        }
    }

    /** Moves the wrapped queue pair to ERR. */
    void lose()
    {
        final QueuePairState state = wrapped.state();
        if (state != QueuePairState.ERR && state != QueuePairState.RESET)
        {
            wrapped.modify(new QueuePairAttributes().state(QueuePairState.ERR), AttributeMask.STATE);
        }
    }

    /** From any thread. */
    void free(final long upTo)
    {
        freed.accumulateAndGet(upTo, Math::max);
    }

    long dueInNs(final long nowNs)
    {
        long dueNs = Long.MAX_VALUE;
        for (long position = head; position < posted; position++)
        {
            final Request request = at(position);
            if (request.isHeldBack || request.hasStalled && !request.isPosted())
            {
                dueNs = Math.min(dueNs, request.notBeforeNs - nowNs);
            }
        }
        return dueNs;
    }

    void reset()
    {
        life = life + 1 & -1L >>> POSITION_BITS;
        head = posted;
        freed.set(posted);
        outstanding = 0;
        hasFailed = false;
    }

    @Override
    public void close()
    {
        slots.close();
        refused.close();
    }

    private Request at(final long position)
    {
        return requests[(int)(position % capacity)];
    }

    private int check(final long request)
    {
        final QueuePairInitAttributes granted = owner.initAttributes();
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        final boolean isInline = (UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.INLINE) != 0;
        return opcode < Opcode.RDMA_WRITE || opcode > Opcode.ATOMIC_FETCH_AND_ADD ||
            count < 0 || count > granted.maxSendElements() ||
            isInline && (opcode >= Opcode.RDMA_READ || SendSlots.totalLength(request) > granted.maxInline()) ?
            Errno.EINVAL : 0;
    }

    private void flush()
    {
        for (long position = head; position < posted; position++)
        {
            final Request request = at(position);
            if (!request.isPosted())
            {
                request.fail(CompletionStatus.WR_FLUSH_ERR);
            }
        }
    }

    private boolean postParts(final long position, final Request request, final long nowNs)
    {
        final SendFate fate = request.fate;
        boolean hasPosted = false;
        while (!request.isPosted() && nowNs >= request.notBeforeNs && outstanding < wrappedCapacity)
        {
            if (isLostBeforePart(request))
            {
                lose(request);
                return hasPosted;
            }
            if (fate.stallsUs[request.next] > 0 && !request.hasStalled)
            {
                request.hasStalled = true;
                request.notBeforeNs = nowNs + fate.stallsUs[request.next] * 1000L;
                faults.add(Faults.Kind.STALL);
                return hasPosted;
            }
            final int part = fate.order[request.next];
            if (request.isNextFetchedAgain())
            {
                if (request.outstanding > 0 && request.fetched == null)
                {
                    return hasPosted;
                }
                remember(request, part);
            }
            final int errno = wrapped.postSend(
                fate.isSplit() ? slots.part(request.copy, fate.cuts[part], fate.cuts[part + 1]) : request.copy,
                refused.range().address());
            if (errno != 0)
            {
                refuse(position, request, errno);
                return hasPosted;
            }
            count(request);
            request.next++;
            request.outstanding++;
            request.hasStalled = false;
            outstanding++;
            hasPosted = true;
        }
        return hasPosted;
    }

    private void count(final Request request)
    {
        if (request.next == 0 && request.fate.isSplit())
        {
            faults.add(Faults.Kind.SPLIT);
            if (request.fate.isReplayed)
            {
                faults.add(Faults.Kind.REPLAY);
            }
        }
    }

    private void remember(final Request request, final int part)
    {
        final SendFate fate = request.fate;
        if (request.fetched == null)
        {
            request.fetched = new long[fate.cuts.length - 1];
        }
        request.fetched[part] = slots.bytesOf(request.copy, fate.cuts[part], fate.cuts[part + 1]);
    }

    private boolean isMixed(final Request request)
    {
        final SendFate fate = request.fate;
        final int parts = fate.cuts.length - 1;
        boolean hasChanged = false;
        for (int i = parts; i < fate.order.length; i++)
        {
            final int part = fate.order[i];
            hasChanged |= request.fetched[part] != slots.bytesOf(request.copy, fate.cuts[part], fate.cuts[part + 1]);
        }
        return hasChanged && fate.order.length < 2 * parts;
    }

    /** The wrapped device does not take it: said to the poster if it is still there. */
    private void refuse(final long position, final Request request, final int errno)
    {
        if (position == posted - 1 && request.next == 0 && request.fate.stallsUs[0] == 0)
        {
            refusal = errno;
        }
        else
        {
            request.fail(CompletionStatus.LOC_QP_OP_ERR);
            lose();
        }
    }

    private static boolean isLostBeforePart(final Request request)
    {
        final int half = request.fate.order.length / 2;
        return switch (request.fate.loss)
        {
            case BEFORE -> request.next == 0;
            case AMID -> half > 0 && request.next == half;
            default -> false;
        };
    }

    private static boolean isLostAfter(final Request request)
    {
        return request.fate.loss == SendFate.Loss.AFTER ||
            request.fate.loss == SendFate.Loss.AMID && request.fate.order.length == 1;
    }

    private void lose(final Request request)
    {
        faults.add(Faults.Kind.LOSE);
        request.fail(request.isRead() ? CompletionStatus.RETRY_EXC_ERR : CompletionStatus.RNR_RETRY_EXC_ERR);
        lose();
    }

    private void complete(final long nowNs)
    {
        while (head < posted && at(head).isDone() && refusal == 0)
        {
            final Request request = at(head);
            if (request.status == CompletionStatus.SUCCESS)
            {
                if (hasFailed)
                {
                    request.fail(CompletionStatus.WR_FLUSH_ERR);
                }
                else if (isLostAfter(request))
                {
                    lose(request);
                }
                else if (request.fate.lateUs > 0 && !request.isHeldBack)
                {
                    request.isHeldBack = true;
                    request.notBeforeNs = nowNs + request.fate.lateUs * 1000L;
                    faults.add(Faults.Kind.LATE);
                }
                if (request.isHeldBack && nowNs < request.notBeforeNs)
                {
                    return;
                }
            }
            completeHead(request);
        }
    }

    private void completeHead(final Request request)
    {
        head++;
        final boolean isWell = request.status == CompletionStatus.SUCCESS;
        if (isWell && request.fetched != null && isMixed(request))
        {
            faults.add(Faults.Kind.MIXED);
        }
        if (!isWell)
        {
            hasFailed = true;
            lose();
        }
        if (isWell && !request.isSignaled() && !owner.initAttributes().signalAll())
        {
            return;
        }
        final Completion completion = new Completion(
            owner,
            request.id,
            request.status,
            COMPLETION_OPCODES[request.opcode],
            0,
            request.opcode >= Opcode.RDMA_READ ? (int)request.totalLength : 0,
            0,
            0,
            head);
        if (!queue.add(completion, false))
        {
            hasFailed = true;
            lose();
        }
    }
}
