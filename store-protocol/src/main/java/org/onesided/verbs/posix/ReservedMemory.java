package org.onesided.verbs.posix;

import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.UseCount;

/**
 * Memory of this process alone that belongs to a device's context. Thread-safe.
 */
public final class ReservedMemory implements DeviceMemory
{
    private final UseCount context;
    private final PrivateMemory memory;
    private final UseCount uses = new UseCount("free", "the memory");

    private ReservedMemory(final UseCount context, final PrivateMemory memory)
    {
        this.context = context;
        this.memory = memory;
    }

    /**
     * Gets memory as {@link PrivateMemory#reserve} does.
     *
     * @param context    the uses of the context that it is made from.
     * @param length     in bytes.
     * @param hugePages  whether to use huge pages.
     * @return the memory.
     */
    public static ReservedMemory reserve(final UseCount context, final long length, final HugePages hugePages)
    {
        context.acquire();
        PrivateMemory memory = null;
        try
        {
            memory = PrivateMemory.reserve(length, hugePages);
            return new ReservedMemory(context, memory);
        }
        finally
        {
            if (memory == null)
            {
                context.release();
            }
        }
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
        if (uses.close())
        {
            memory.close();
            context.release();
        }
    }
}
