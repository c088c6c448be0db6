package org.onesided.verbs.soft;

import org.onesided.verbs.Access;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.VerbsException;

/**
 * Checks requests to create objects against the limits of the device.
 */
final class CreationChecks
{
    private static final int ALL_ACCESS = Access.LOCAL_WRITE | Access.REMOTE_ANY;

    private final DeviceAttributes limits;

    CreationChecks(final DeviceAttributes limits)
    {
        this.limits = limits;
    }

    void completionQueue(final int capacity, final int vector)
    {
        check("create_cq", "cqe", capacity, 1, limits.maxCompletions());
        check("create_cq", "comp_vector", vector, 0, 0);
    }

    void sharedReceives(final int maxWorkRequests, final int maxScatterGather)
    {
        check("create_srq", "max_wr", maxWorkRequests, 1, limits.maxSharedReceiveWorkRequests());
        check("create_srq", "max_sge", maxScatterGather, 1, limits.maxScatterGather());
    }

    void region(final MemoryRange range, final int access)
    {
        if ((access & ~ALL_ACCESS) != 0)
        {
            throw new VerbsException("reg_mr", Errno.EINVAL, "unknown access flags: access=" + access);
        }
        if ((access & (Access.REMOTE_WRITE | Access.REMOTE_ATOMIC)) != 0 && (access & Access.LOCAL_WRITE) == 0)
        {
            throw new VerbsException("reg_mr", Errno.EINVAL,
                "remote write and atomic access need local write access as well: access=" + access);
        }
        if (range.length() == 0 || range.length() > limits.maxMemoryRegionLength())
        {
            throw new VerbsException("reg_mr", Errno.EINVAL,
                "length is out of range 1 to " + limits.maxMemoryRegionLength() + ": length=" + range.length());
        }
    }

    /**
     * @return what the queue pair is granted.
     */
    QueuePairInitAttributes queuePair(
        final Context context, final QueuePairInitAttributes asked, final int maxInline)
    {
        check("create_qp", "max_send_wr", asked.maxSends(), 0, limits.maxWorkRequests());
        check("create_qp", "max_recv_wr", asked.maxReceives(), 0, limits.maxWorkRequests());
        check("create_qp", "max_send_sge", asked.maxSendElements(), 0, limits.maxScatterGather());
        check("create_qp", "max_recv_sge", asked.maxReceiveElements(), 0, limits.maxScatterGather());
        check("create_qp", "max_inline_data", asked.maxInline(), 0, maxInline);
        final SoftCompletionQueue send = mine(
            context, "create_qp", asked.sendQueue(), SoftCompletionQueue.class);
        final SoftCompletionQueue receive = mine(
            context, "create_qp", asked.receiveQueue(), SoftCompletionQueue.class);
        final SoftSharedReceiveQueue shared =
            mine(context, "create_qp", asked.sharedReceives(), SoftSharedReceiveQueue.class);
        if (send == null || receive == null)
        {
            throw new VerbsException("create_qp", Errno.EINVAL, "a completion queue is missing");
        }
        asked.type().checkSupported();
        return new QueuePairInitAttributes(
            send,
            receive,
            shared,
            Math.max(1, asked.maxSends()),
            shared != null ? 0 : Math.max(1, asked.maxReceives()),
            Math.max(1, asked.maxSendElements()),
            shared != null ? shared.maxElements() : Math.max(1, asked.maxReceiveElements()),
            asked.maxInline(),
            asked.signalAll(),
            asked.untrustedPeer());
    }

    /**
     * @return an object that was made from the context, or null.
     * @throws VerbsException with {@code EINVAL} if it was made from another.
     */
    static <T extends Owned> T mine(
        final Context context, final String verb, final Object object, final Class<T> type)
    {
        final T owned = type.isInstance(object) ? type.cast(object) : null;
        if (object != null && (owned == null || owned.context() != context))
        {
            throw new VerbsException(verb, Errno.EINVAL, "an object of another context: object=" + object);
        }
        return owned;
    }

    private static void check(
        final String verb, final String name, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw new VerbsException(
                verb, Errno.EINVAL, name + " is out of range " + least + " to " + most + ": " + name + "=" + value);
        }
    }
}
