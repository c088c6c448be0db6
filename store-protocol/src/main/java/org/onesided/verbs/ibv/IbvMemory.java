package org.onesided.verbs.ibv;

import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;
import org.onesided.verbs.posix.PrivateMemory;

/**
 * Anonymous private memory, all of whose pages are there from the start.
 *
 * <p>A forked child does not get it ({@code MADV_DONTFORK}): the pages that a device knows must stay this process' own,
 * where an older kernel would copy them away at the first write after a fork. Java itself starts programs by vfork or
 * posix_spawn, which copy nothing and need no care; this is for native libraries that fork. It is done here and not by
 * ibv_fork_init(3), since that would withhold all registered memory from children, also pages of the heap that hold
 * other things besides.
 */
final class IbvMemory implements DeviceMemory
{
    private static final int MADV_DONTFORK = 10;

    private final IbvContext context;
    private final PrivateMemory memory;
    private final UseCount uses = new UseCount("free", "the memory");

    private IbvMemory(final IbvContext context, final PrivateMemory memory)
    {
        this.context = context;
        this.memory = memory;
    }

    /**
     * @param context   whose use is acquired already.
     * @param length    in bytes.
     * @param hugePages whether it is to be in huge pages.
     * @return zeroed memory.
     * @throws VerbsException with {@code ENOMEM} if there is not so much, {@code EINVAL} if the length is none.
     */
    static IbvMemory allocate(final IbvContext context, final long length, final HugePages hugePages)
    {
        final PrivateMemory memory = PrivateMemory.allocate(length, hugePages);
        final MemoryRange pages = memory.pages();
        final int errno = -Posix.advise(pages.address(), pages.length(), MADV_DONTFORK);
        if (errno != 0)
        {
            memory.close();
            throw new VerbsException("allocate", errno, "cannot keep memory from children: length=" + length);
        }
        final IbvMemory allocated = new IbvMemory(context, memory);
        context.memories().add(allocated);
        return allocated;
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
        if (context.memories().remove(this))
        {
            try
            {
                memory.close();
            }
            finally
            {
                context.uses().release();
            }
        }
    }

    UseCount uses()
    {
        return uses;
    }
}
