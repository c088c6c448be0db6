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
    /**
     * Makes what belongs to a protection domain.
     */
    interface Maker
    {
        /**
         * As {@link ProtectionDomain#register}.
         */
        MemoryRegion register(SoftProtectionDomain domain, MemoryRange range, int access);

        /**
         * As {@link ProtectionDomain#createQueuePair}.
         */
        QueuePair createQueuePair(SoftProtectionDomain domain, QueuePairInitAttributes attributes);

        /**
         * As {@link ProtectionDomain#createSharedReceiveQueue}.
         */
        SharedReceiveQueue createSharedReceiveQueue(
            SoftProtectionDomain domain, int maxWorkRequests, int maxScatterGather);
    }

    private final Context context;
    private final Maker maker;
    private final UseCount contextUses;
    private final int number;
    private final UseCount uses = new UseCount("dealloc_pd", "the protection domain");

    /**
     * @param context     it belongs to.
     * @param maker       makes what belongs to it.
     * @param contextUses counts what was made from the context; one use of this is acquired already.
     * @param number      its number.
     */
    SoftProtectionDomain(final Context context, final Maker maker, final UseCount contextUses, final int number)
    {
        this.context = context;
        this.maker = maker;
        this.contextUses = contextUses;
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
        return maker.register(this, range, access);
    }

    @Override
    public QueuePair createQueuePair(final QueuePairInitAttributes attributes)
    {
        return maker.createQueuePair(this, attributes);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWorkRequests, final int maxScatterGather)
    {
        return maker.createSharedReceiveQueue(this, maxWorkRequests, maxScatterGather);
    }

    @Override
    public void close()
    {
        if (uses.close())
        {
            contextUses.release();
        }
    }

    UseCount uses()
    {
        return uses;
    }
}
