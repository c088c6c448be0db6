package org.onesided.verbs.tcp;

import org.onesided.verbs.soft.SoftMemoryRegion;
import org.onesided.verbs.soft.WorkQueues;

/**
 * Access rights of a queue pair's peer to this side's memory. The queue pair's lock guards it.
 */
final class PeerRights
{
    private final WorkQueues queues;

    PeerRights(final WorkQueues queues)
    {
        this.queues = queues;
    }

    /**
     * @param access  that is needed.
     * @param ofKey   fault of a wrong key.
     * @param ofRange fault of a wrong range.
     * @return the fault, or null.
     */
    Fault findFault(
        final int key, final long address, final long length, final int access, final Fault ofKey, final Fault ofRange)
    {
        final SoftMemoryRegion region = queues.memory().find(key);
        return region == null ? ofKey :
            region.protectionDomain() != queues.protectionDomain() ?
                ofKey == Fault.WRITE_KEY ? Fault.WRITE_DOMAIN : Fault.READ_DOMAIN :
            (region.access() & queues.attributes().accessFlags() & access) == 0 ? Fault.ACCESS :
            region.range().contains(address - region.range().address(), length) ? null : ofRange;
    }
}
