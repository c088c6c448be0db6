package org.onesided.verbs.shm;

import org.onesided.verbs.Access;
import org.onesided.verbs.soft.LocalMemory;
import org.onesided.verbs.soft.ReceiveQueue;

/**
 * Announces the posted receives of a queue pair to its peer. The queue pair's lock guards it.
 */
final class PostedReceives
{
    private final ReceiveQueue receives;
    private final LocalMemory localMemory;
    /** The first receive that a peer may use. */
    private long first;
    private long told;

    /**
     * @param receives or null with a shared receive queue, of which the peer learns otherwise.
     */
    PostedReceives(final ReceiveQueue receives, final LocalMemory localMemory)
    {
        this.receives = receives;
        this.localMemory = localMemory;
    }

    /**
     * A new file: all receives posted before are flushed or forgotten.
     */
    void restart()
    {
        if (receives != null)
        {
            first = receives.posted();
            told = first;
        }
    }

    /**
     * Another file: announces all receives again.
     */
    void repeat()
    {
        told = first;
    }

    /**
     * Tells of those that are new, and whose length has room in the file.
     */
    void tell(final PairFile pair)
    {
        if (receives == null)
        {
            return;
        }
        final long end = Math.min(receives.posted(), receives.consumed() + pair.window());
        if (told < end)
        {
            for (; told < end; told++)
            {
                final boolean usable =
                    localMemory.mayUse(receives.elements(told), receives.elementCount(told), Access.LOCAL_WRITE);
                pair.ownReceiveLength(told - first, ReceiveLength.encode(receives.totalLength(told), usable));
            }
            pair.own().posted(told - first);
        }
    }
}
