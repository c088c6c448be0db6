package org.onesided.verbs.ibv;

import java.util.function.Predicate;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Mappings;
import org.onesided.verbs.posix.Pages;
import org.onesided.verbs.posix.PrivateMemory;

/**
 * Anonymous private memory that can be registered.
 *
 * <p>A forked child does not get it ({@code MADV_DONTFORK}): the pages that a device knows must stay this process' own,
 * where an older kernel would copy them away at the first write after a fork. Java itself starts programs by vfork or
 * posix_spawn, which copy nothing and need no care; this is for native libraries that fork. It is done here and not by
 * ibv_fork_init(3), since that would withhold all registered memory from children, also pages of the heap that hold
 * other things besides.
 */
class IbvMemory implements DeviceMemory
{
    private static final int MADV_DONTFORK = 10;

    private final Predicate<IbvMemory> onClose;
    private final UseCount contextUses;
    private final Pages memory;
    private final UseCount uses = new UseCount("free", "the memory");

    /**
     * @param onClose     is told when the memory is closed, and says whether it is to be freed now.
     * @param contextUses a use of the context, acquired already, released when the memory is freed.
     * @param memory      to be given back with this.
     */
    IbvMemory(final Predicate<IbvMemory> onClose, final UseCount contextUses, final Pages memory)
    {
        this.onClose = onClose;
        this.contextUses = contextUses;
        this.memory = memory;
    }

    /**
     * @param onClose     is called when the memory is closed; returns whether to free it now.
     * @param contextUses a use of the context, acquired already, released when the memory is freed.
     * @param length      in bytes.
     * @param hugePages   whether to use huge pages.
     * @return zeroed memory.
     * @throws VerbsException with {@code ENOMEM} if there is not so much, {@code EINVAL} if the length is none.
     */
    static IbvMemory allocate(
        final Predicate<IbvMemory> onClose,
        final UseCount contextUses,
        final long length,
        final HugePages hugePages)
    {
        final PrivateMemory memory = PrivateMemory.allocate(length, hugePages);
        final MemoryRange pages = memory.pages();
        final int errno = -Mappings.advise(pages.address(), pages.length(), MADV_DONTFORK);
        if (errno != 0)
        {
            memory.close();
            throw new VerbsException("allocate", errno, "cannot keep memory from children: length=" + length);
        }
        return new IbvMemory(onClose, contextUses, memory);
    }

    @Override
    public MemoryRange range()
    {
        return memory.range();
    }

    @Override
    public boolean hugePages()
    {
        return memory.hugePages();
    }

    @Override
    public void close()
    {
        if (onClose.test(this))
        {
            try
            {
                memory.close();
            }
            finally
            {
                contextUses.release();
            }
        }
    }

    UseCount uses()
    {
        return uses;
    }
}
