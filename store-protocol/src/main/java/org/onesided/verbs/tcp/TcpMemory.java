package org.onesided.verbs.tcp;

import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.posix.PrivateMemory;

/**
 * Memory of this process, all of whose pages are there from the start.
 */
final class TcpMemory implements DeviceMemory
{
    private final TcpContext context;
    private final PrivateMemory memory;
    private final UseCount uses = new UseCount("free", "the memory");

    /**
     * @param context whose use is acquired already.
     * @param memory  to be given back with this.
     */
    TcpMemory(final TcpContext context, final PrivateMemory memory)
    {
        this.context = context;
        this.memory = memory;
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
            context.remove(this);
            memory.close();
            context.uses().release();
        }
    }

    UseCount uses()
    {
        return uses;
    }
}
