package org.onesided.verbs.ibv;

import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.SendRequestDescriptor;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;

/**
 * A reliable connected queue pair of libibverbs.
 *
 * <p>Providers take requests in any state, so {@link #sendable} and {@link #receivable} are what says whether a request
 * may be posted now; both are 0 once the queue pair is closed, and so posting to a closed one touches nothing. That
 * costs posting one volatile load. A thread that is in the middle of posting is not waited for: who closes a queue pair
 * makes sure that nobody posts to it any more, as with ibv_destroy_qp(3).
 */
final class IbvQueuePair implements QueuePair
{
    private static final byte[] NO_BYTES = {};
    private static final int QUERY_LENGTH = QueuePairAttributesDescriptor.LENGTH + QueuePairInitDescriptor.LENGTH;

    /** The bits of all attributes that queue pairs have. */
    private static final int ALL_ATTRIBUTES = (AttributeMask.DEST_QPN << 1) - 1;

    private final NativeDomain domain;
    private final NativeContext context;
    private final QueuePairInitAttributes initAttributes;
    private final List<UseCount> held;
    private final long handle;
    private final int number;
    private final int maxSendElements;
    private final int maxReceiveElements;
    private final int maxInline;
    private final long sendFunction;
    private final long receiveFunction;

    /** {@link #handle} while send requests may be posted, otherwise 0. */
    private volatile long sendable;

    /** {@link #handle} while receives may be posted, otherwise 0. */
    private volatile long receivable;

    /** Whether this side moved it to ERR; the device may have done so by itself. */
    private volatile boolean failed;
    private QueuePairState lastKnown = QueuePairState.RESET;
    private boolean hasBeenUsed;
    private boolean closed;

    /**
     * @param domain         whose use is acquired already.
     * @param initAttributes as granted.
     * @param handle         address of the {@code ibv_qp}.
     * @param held           uses of its queues, released when it is closed.
     */
    IbvQueuePair(
        final NativeDomain domain,
        final QueuePairInitAttributes initAttributes,
        final long handle,
        final List<UseCount> held)
    {
        this.domain = domain;
        this.initAttributes = initAttributes;
        this.handle = handle;
        this.held = held;
        context = domain.context();
        number = UnsafeApi.getInt(handle + QueuePairDescriptor.QP_NUM_OFFSET);
        maxSendElements = initAttributes.maxSendElements();
        maxReceiveElements = initAttributes.maxReceiveElements();
        maxInline = initAttributes.maxInline();
        sendFunction = DirectCalls.function(context.handle(), ContextDescriptor.POST_SEND_OFFSET);
        receiveFunction = DirectCalls.function(context.handle(), ContextDescriptor.POST_RECV_OFFSET);
    }

    @Override
    public int number()
    {
        return number;
    }

    @Override
    public QueuePairInitAttributes initAttributes()
    {
        return initAttributes;
    }

    @Override
    public byte[] deviceBytes()
    {
        return NO_BYTES;
    }

    @Override
    public synchronized void modify(final QueuePairAttributes attributes, final int mask)
    {
        checkOpen("modify_qp");
        AttributeRanges.check(attributes, mask, context.limits());
        if ((mask & AttributeMask.PKEY_INDEX) != 0 && (mask & AttributeMask.PORT) != 0)
        {
            checkPkeyIndex(attributes.pkeyIndex(), attributes.port());
        }
        final QueuePairState from = state();
        if ((mask & AttributeMask.CUR_STATE) != 0 && attributes.currentState() != from)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL, "the queue pair is in another state: state=" + from +
                " cur_qp_state=" + attributes.currentState());
        }
        final boolean isTransition = (mask & AttributeMask.STATE) != 0;
        final QueuePairState to = isTransition ? attributes.state() : from;
        if (to == QueuePairState.RESET)
        {
            allow(to);
        }
        final int errno = modify(handle, attributes, mask);
        if (errno != 0)
        {
            allow(stateOr(from));
            throw IbvErrors.failure("modify_qp", errno, String.format(
                "device=%s qp_num=%d from=%s to=%s attr_mask=0x%x", context.device().name(), number, from, to, mask));
        }
        allow(to);
    }

    @Override
    public synchronized QueuePairAttributes query()
    {
        checkOpen("query_qp");
        try (NativeArray memory = new NativeArray(QUERY_LENGTH))
        {
            final long address = memory.range().address();
            query(address, ALL_ATTRIBUTES);
            return AttributeConversion.read(address);
        }
    }

    @Override
    public synchronized QueuePairState state()
    {
        if (closed)
        {
            return lastKnown;
        }
        try (NativeArray memory = new NativeArray(QUERY_LENGTH))
        {
            final long address = memory.range().address();
            query(address, AttributeMask.STATE);
            lastKnown = AttributeConversion.state(address);
            return lastKnown;
        }
    }

    @Override
    public int postSend(final long workRequest, final long badWorkRequest)
    {
        final long queuePair = sendable;
        if (queuePair == 0)
        {
            UnsafeApi.putLong(badWorkRequest, workRequest);
            return Errno.EINVAL;
        }
        final long before = RequestChecks.sends(workRequest, maxSendElements, maxInline);
        return Posting.post(
            sendFunction, queuePair, workRequest, badWorkRequest, before, SendRequestDescriptor.NEXT_OFFSET);
    }

    @Override
    public int postReceive(final long workRequest, final long badWorkRequest)
    {
        final long queuePair = receivable;
        if (queuePair == 0)
        {
            UnsafeApi.putLong(badWorkRequest, workRequest);
            return Errno.EINVAL;
        }
        final long before = RequestChecks.receives(workRequest, maxReceiveElements);
        final int errno = Posting.post(
            receiveFunction, queuePair, workRequest, badWorkRequest, before, ReceiveRequestDescriptor.NEXT_OFFSET);
        if (failed)
        {
            flush();
        }
        return errno;
    }

    @Override
    public synchronized void close()
    {
        if (closed)
        {
            return;
        }
        sendable = 0;
        receivable = 0;
        closed = true;
        final IbvCompletionQueue sendQueue = (IbvCompletionQueue)initAttributes.sendQueue();
        final IbvCompletionQueue receiveQueue = (IbvCompletionQueue)initAttributes.receiveQueue();
        if (hasBeenUsed)
        {
            sendQueue.onClosing(number);
            receiveQueue.onClosing(number);
        }
        final int errno = context.library().calls().ibv_destroy_qp(handle);
        // One that could not be destroyed may complete for ever.
        if (hasBeenUsed && errno == 0)
        {
            sendQueue.onClosed();
            receiveQueue.onClosed();
        }
        held.forEach(UseCount::release);
        domain.uses().release();
        if (errno != 0)
        {
            throw IbvErrors.failure("destroy_qp", errno, "device=" + context.device().name() + " qp_num=" + number);
        }
    }

    /** A transition that failed may have moved it, and so may the device have done meanwhile. */
    private QueuePairState stateOr(final QueuePairState otherwise)
    {
        try
        {
            return state();
        }
        catch (final VerbsException e)
        {
            // What is said of the transition says more.
            return otherwise;
        }
    }

    /**
     * Rxe's provider puts receives into a queue that its kernel side looks at only when something else happens; going
     * to ERR once more makes it flush those that were posted in ERR. It is a transition that all devices have.
     */
    private synchronized void flush()
    {
        if (!closed && failed)
        {
            modify(handle, new QueuePairAttributes().state(QueuePairState.ERR), AttributeMask.STATE);
        }
    }

    private int modify(final long queuePair, final QueuePairAttributes attributes, final int mask)
    {
        try (NativeArray memory = new NativeArray(QueuePairAttributesDescriptor.LENGTH))
        {
            final long address = memory.range().address();
            AttributeConversion.write(attributes, mask, address);
            return context.library().calls().ibv_modify_qp(queuePair, address, mask);
        }
    }

    private void query(final long address, final int mask)
    {
        final int errno = context.library().calls()
            .ibv_query_qp(handle, address, mask, address + QueuePairAttributesDescriptor.LENGTH);
        if (errno != 0)
        {
            throw IbvErrors.failure("query_qp", errno, "device=" + context.device().name() + " qp_num=" + number);
        }
    }

    private void allow(final QueuePairState state)
    {
        hasBeenUsed |= state != QueuePairState.RESET;
        failed = state == QueuePairState.ERR;
        receivable = state == QueuePairState.RESET || initAttributes.sharedReceives() != null ? 0 : handle;
        sendable = state.ordinal() < QueuePairState.RTS.ordinal() ? 0 : handle;
    }

    /**
     * Not every driver looks whether there is such a P_Key.
     */
    private void checkPkeyIndex(final int index, final int port)
    {
        try (NativeArray memory = new NativeArray(PortAttributesDescriptor.LENGTH))
        {
            final long address = memory.range().address();
            final int errno = context.library().calls().ibv_query_port(context.handle(), port, address);
            if (errno != 0)
            {
                throw IbvErrors.failure(
                    "query_port", errno, "device=" + context.device().name() + " port=" + port);
            }
            final int length = UnsafeApi.getShort(address + PortAttributesDescriptor.PKEY_TBL_LEN_OFFSET) & 0xFFFF;
            Ranges.check("modify_qp", "pkey_index", index, 0, length - 1);
        }
    }

    private void checkOpen(final String verb)
    {
        if (closed)
        {
            throw new VerbsException(verb, Errno.EINVAL, "the queue pair is closed: qp_num=" + number);
        }
    }
}
