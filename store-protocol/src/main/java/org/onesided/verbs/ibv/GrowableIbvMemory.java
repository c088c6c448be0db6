package org.onesided.verbs.ibv;

import java.util.function.Predicate;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.posix.GrowingDeviceMemory;
import org.onesided.verbs.posix.GrowingMemory;

/**
 * Anonymous private memory that can be registered, and whose pages come piece by piece; children do not get it.
 */
final class GrowableIbvMemory extends IbvMemory implements GrowingDeviceMemory
{
    private final GrowingMemory memory;

    private GrowableIbvMemory(
        final Predicate<IbvMemory> onClose, final UseCount contextUses, final GrowingMemory memory)
    {
        super(onClose, contextUses, memory);
        this.memory = memory;
    }

    /**
     * @param onClose     is told when the memory is closed, and says whether it is to be freed now.
     * @param contextUses a use of the context, acquired already, released when the memory is freed.
     * @param length      of the addresses in bytes.
     * @param hugePages   whether pages are to be huge.
     * @return the memory, without any page.
     */
    static GrowableIbvMemory reserve(
        final Predicate<IbvMemory> onClose,
        final UseCount contextUses,
        final long length,
        final HugePages hugePages)
    {
        return new GrowableIbvMemory(onClose, contextUses, GrowingMemory.of(length, hugePages, true));
    }

    /** Buffers and queues of clients are locked, too, and need some of what the process may lock. */
    @Override
    public void checkGrowth(final long length)
    {
        GrowingDeviceMemory.super.checkGrowth(length);
        IbvErrors.checkLimit(length, HostFacts.lockableMemory(), HostFacts.pinnedMemory());
    }

    @Override
    public GrowingMemory growing()
    {
        return memory;
    }
}
