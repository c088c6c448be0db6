package org.onesided.verbs.soft;

import org.onesided.verbs.Context;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.SharedReceiveQueue;
import org.onesided.verbs.UseCount;

/**
 * Ties memory regions to queue pairs.
 */
public final class SoftProtectionDomain implements ProtectionDomain
{
    private final SoftContext context;
    private final int number;
    private final UseCount uses = new UseCount("dealloc_pd", "the protection domain");

    SoftProtectionDomain(final SoftContext context, final int number)
    {
        this.context = context;
        this.number = number;
    }

    @Override
    public Context context()
    {
        return context;
    }

    /**
     * @return its number, from 1; unique within the context.
     */
    public int number()
    {
        return number;
    }

    @Override
    public MemoryRegion register(final MemoryRange range, final int access)
    {
        return context.register(this, range, access);
    }

    @Override
    public QueuePair createQueuePair(final QueuePairInitAttributes attributes)
    {
        return context.createQueuePair(this, attributes);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWorkRequests, final int maxScatterGather)
    {
        return context.createSharedReceiveQueue(this, maxWorkRequests, maxScatterGather);
    }

    @Override
    public void close()
    {
        if (uses.close())
        {
            context.uses().release();
        }
    }

    SoftContext softContext()
    {
        return context;
    }

    UseCount uses()
    {
        return uses;
    }
}
