package org.onesided.verbs.shm;

import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.posix.ResidentPages;

/**
 * Memory in a file that peers can map.
 */
final class ShmMemory implements DeviceMemory
{
    private final ShmContext context;
    private final int number;
    private final MemoryRange range;
    private final SharedMapping mapping;
    private final UseCount uses = new UseCount("free", "the memory");

    ShmMemory(final ShmContext context, final int number, final SharedMapping mapping, final long length)
    {
        this.context = context;
        this.number = number;
        this.mapping = mapping;
        range = new MemoryRange(mapping.address(), length);
    }

    static String name(final int number)
    {
        return "memory-" + Integer.toUnsignedString(number);
    }

    @Override
    public MemoryRange range()
    {
        return range;
    }

    @Override
    public boolean hugePages()
    {
        return ResidentPages.of(range).areMostlyHuge();
    }

    @Override
    public void close()
    {
        if (uses.close())
        {
            context.remove(this);
            mapping.close();
        }
    }

    int number()
    {
        return number;
    }

    UseCount uses()
    {
        return uses;
    }
}
