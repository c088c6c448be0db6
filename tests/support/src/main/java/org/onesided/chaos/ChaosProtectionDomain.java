package org.onesided.chaos;

import org.onesided.verbs.Context;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.SharedReceiveQueue;
import org.onesided.verbs.VerbsException;

/**
 * A protection domain: makes queue pairs with faults. Regions and shared receive queues are those of the wrapped
 * device.
 */
final class ChaosProtectionDomain implements ProtectionDomain
{
    private final ChaosContext context;
    private final ProtectionDomain wrapped;

    ChaosProtectionDomain(final ChaosContext context, final ProtectionDomain wrapped)
    {
        this.context = context;
        this.wrapped = wrapped;
    }

    @Override
    public Context context()
    {
        return context;
    }

    @Override
    public MemoryRegion register(final MemoryRange range, final int access)
    {
        return wrapped.register(range, access);
    }

    @Override
    public QueuePair createQueuePair(final QueuePairInitAttributes attributes)
    {
        if (attributes.sendQueue() == null || attributes.receiveQueue() == null)
        {
            throw new VerbsException("create_qp", Errno.EINVAL, "a completion queue is missing");
        }
        return ChaosQueuePair.create(
            context,
            wrapped,
            context.mine("create_qp", attributes.sendQueue()),
            context.mine("create_qp", attributes.receiveQueue()),
            attributes);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWorkRequests, final int maxScatterGather)
    {
        return wrapped.createSharedReceiveQueue(maxWorkRequests, maxScatterGather);
    }

    @Override
    public void close()
    {
        wrapped.close();
    }
}
