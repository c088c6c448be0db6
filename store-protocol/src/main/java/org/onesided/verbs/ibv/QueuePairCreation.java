package org.onesided.verbs.ibv;

import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;

/**
 * Creates queue pairs: checks the requested attributes, holds the resources, and reads the granted attributes.
 */
final class QueuePairCreation
{
    private static final int MAX_NUMBER = 0xFF_FFFF;

    private final NativeDomain domain;
    private final NativeContext context;
    private final QueuePairInitAttributes asked;
    private final IbvCompletionQueue sendQueue;
    private final IbvCompletionQueue receiveQueue;
    private final IbvSharedReceiveQueue sharedReceives;

    private QueuePairCreation(final NativeDomain domain, final QueuePairInitAttributes asked)
    {
        this.domain = domain;
        this.asked = asked;
        context = domain.context();
        final Object shared = asked.sharedReceives();
        if (!(asked.sendQueue() instanceof IbvCompletionQueue send) || send.context() != context ||
            !(asked.receiveQueue() instanceof IbvCompletionQueue receive) || receive.context() != context ||
            shared != null && !(shared instanceof IbvSharedReceiveQueue queue && queue.context() == context))
        {
            throw new VerbsException("create_qp", Errno.EINVAL,
                "a completion queue is missing, or a queue is of another context: device=" + context.device().name());
        }
        sendQueue = send;
        receiveQueue = receive;
        sharedReceives = (IbvSharedReceiveQueue)shared;
    }

    /**
     * @param domain whose use is acquired already.
     * @param asked  what the queue pair needs.
     * @return the queue pair.
     * @throws VerbsException with {@code EINVAL} if a capacity is out of range or a queue is not of this context, or as
     *                        the device says.
     */
    static IbvQueuePair create(final NativeDomain domain, final QueuePairInitAttributes asked)
    {
        final QueuePairCreation creation = new QueuePairCreation(domain, asked);
        creation.checkCapacities();
        return creation.create();
    }

    private IbvQueuePair create()
    {
        final List<UseCount> held = new ArrayList<>();
        final List<Long> made = new ArrayList<>();
        try (NativeArray init = new NativeArray(QueuePairInitDescriptor.LENGTH))
        {
            hold(held, sendQueue.uses());
            hold(held, receiveQueue.uses());
            if (sharedReceives != null)
            {
                hold(held, sharedReceives.uses());
            }
            final long address = init.range().address();
            final long handle = createUnmistakable(address, made);
            while (made.get(0) != handle)
            {
                destroy(made.remove(0));
            }
            return new IbvQueuePair(domain, granted(address), handle, held);
        }
        catch (final RuntimeException | Error e)
        {
            made.forEach((handle) -> destroyAfter(e, handle));
            held.forEach(UseCount::release);
            throw e;
        }
    }

    /**
     * Completions of a queue pair that was destroyed may still be in a completion queue, and tell whose they are by
     * number only. A new one that got the same number is held until another is made, which so gets another number.
     *
     * @param made gets all that were made; the last is the one that is returned.
     */
    private long createUnmistakable(final long init, final List<Long> made)
    {
        while (true)
        {
            write(init);
            final long handle = context.library().calls().ibv_create_qp(domain.handle(), init);
            if (handle == 0)
            {
                throw IbvErrors.failure("create_qp", context.library().errno(), describe());
            }
            made.add(handle);
            // The caller destroys the queue pair.
            new MadeCheck("create_qp", handle)
                .address("ibv_qp.context", QueuePairDescriptor.CONTEXT_OFFSET, context.handle())
                .address("ibv_qp.pd", QueuePairDescriptor.PD_OFFSET, domain.handle())
                .address("ibv_qp.send_cq", QueuePairDescriptor.SEND_CQ_OFFSET, sendQueue.handle())
                .address("ibv_qp.recv_cq", QueuePairDescriptor.RECV_CQ_OFFSET, receiveQueue.handle())
                .number("ibv_qp.qp_num", QueuePairDescriptor.QP_NUM_OFFSET, 1, MAX_NUMBER)
                .number("ibv_qp.qp_type", QueuePairDescriptor.QP_TYPE_OFFSET,
                    asked.type().value(), asked.type().value())
                .orUndo(() -> 0);
            final int number = UnsafeApi.getInt(handle + QueuePairDescriptor.QP_NUM_OFFSET);
            if (!sendQueue.mayHold(number) && !receiveQueue.mayHold(number))
            {
                return handle;
            }
        }
    }

    /** Destroys a queue pair, which would otherwise keep its completion queues from being destroyed. */
    private void destroy(final long handle)
    {
        final int errno = context.library().calls().ibv_destroy_qp(handle);
        if (errno != 0)
        {
            throw IbvErrors.failure("destroy_qp", errno, "device=" + context.device().name());
        }
    }

    private void destroyAfter(final Throwable failure, final long handle)
    {
        try
        {
            destroy(handle);
        }
        catch (final VerbsException e)
        {
            failure.addSuppressed(e);
        }
    }

    private void checkCapacities()
    {
        final DeviceAttributes limits = context.limits();
        check("max_send_wr", asked.maxSends(), limits.maxWorkRequests());
        check("max_recv_wr", asked.maxReceives(), limits.maxWorkRequests());
        check("max_send_sge", asked.maxSendElements(), limits.maxScatterGather());
        check("max_recv_sge", asked.maxReceiveElements(), limits.maxScatterGather());
        // Devices do not report their inline limit; they refuse too large values.
        check("max_inline_data", asked.maxInline(), Integer.MAX_VALUE);
    }

    private void write(final long init)
    {
        UnsafeApi.setMemory(init, QueuePairInitDescriptor.LENGTH, (byte)0);
        UnsafeApi.putLong(init + QueuePairInitDescriptor.SEND_CQ_OFFSET, sendQueue.handle());
        UnsafeApi.putLong(init + QueuePairInitDescriptor.RECV_CQ_OFFSET, receiveQueue.handle());
        UnsafeApi.putLong(
            init + QueuePairInitDescriptor.SRQ_OFFSET, sharedReceives == null ? 0 : sharedReceives.handle());
        final long capacity = init + QueuePairInitDescriptor.CAP_OFFSET;
        final boolean isShared = sharedReceives != null;
        UnsafeApi.putInt(capacity + CapacityDescriptor.MAX_SEND_WR_OFFSET, Math.max(1, asked.maxSends()));
        UnsafeApi.putInt(
            capacity + CapacityDescriptor.MAX_RECV_WR_OFFSET, isShared ? 0 : Math.max(1, asked.maxReceives()));
        UnsafeApi.putInt(capacity + CapacityDescriptor.MAX_SEND_SGE_OFFSET, Math.max(1, asked.maxSendElements()));
        UnsafeApi.putInt(
            capacity + CapacityDescriptor.MAX_RECV_SGE_OFFSET, isShared ? 0 : Math.max(1, asked.maxReceiveElements()));
        UnsafeApi.putInt(capacity + CapacityDescriptor.MAX_INLINE_DATA_OFFSET, asked.maxInline());
        UnsafeApi.putInt(init + QueuePairInitDescriptor.QP_TYPE_OFFSET, asked.type().value());
        UnsafeApi.putInt(init + QueuePairInitDescriptor.SQ_SIG_ALL_OFFSET, asked.signalAll() ? 1 : 0);
    }

    private QueuePairInitAttributes granted(final long init)
    {
        final long capacity = init + QueuePairInitDescriptor.CAP_OFFSET;
        return new QueuePairInitAttributes(
            sendQueue,
            receiveQueue,
            sharedReceives,
            UnsafeApi.getInt(capacity + CapacityDescriptor.MAX_SEND_WR_OFFSET),
            sharedReceives != null ? 0 : UnsafeApi.getInt(capacity + CapacityDescriptor.MAX_RECV_WR_OFFSET),
            UnsafeApi.getInt(capacity + CapacityDescriptor.MAX_SEND_SGE_OFFSET),
            sharedReceives != null ? sharedReceives.maxElements() :
                UnsafeApi.getInt(capacity + CapacityDescriptor.MAX_RECV_SGE_OFFSET),
            UnsafeApi.getInt(capacity + CapacityDescriptor.MAX_INLINE_DATA_OFFSET),
            asked.signalAll(),
            asked.untrustedPeer());
    }

    private String describe()
    {
        return "device=" + context.device().name() + " max_send_wr=" + asked.maxSends() +
            " max_recv_wr=" + asked.maxReceives() + " max_send_sge=" + asked.maxSendElements() +
            " max_recv_sge=" + asked.maxReceiveElements() + " max_inline_data=" + asked.maxInline();
    }

    private static void hold(final List<UseCount> held, final UseCount uses)
    {
        uses.acquire();
        held.add(uses);
    }

    private static void check(final String name, final int value, final int most)
    {
        Ranges.check("create_qp", name, value, 0, most);
    }
}
