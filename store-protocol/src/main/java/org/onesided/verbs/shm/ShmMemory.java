package org.onesided.verbs.shm;

import java.util.function.Consumer;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.posix.ResidentPages;

/**
 * Memory in a file that peers can map.
 */
class ShmMemory implements DeviceMemory
{
    private final Consumer<ShmMemory> onFree;
    private final int number;
    private final MemoryRange range;
    private final SharedMapping mapping;
    private final UseCount uses = new UseCount("free", "the memory");

    /**
     * @param onFree is called before the memory is unmapped.
     */
    ShmMemory(
        final Consumer<ShmMemory> onFree, final int number, final SharedMapping mapping, final long length)
    {
        this.onFree = onFree;
        this.number = number;
        this.mapping = mapping;
        range = new MemoryRange(mapping.address(), length);
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
            onFree.accept(this);
            mapping.close();
            freed();
        }
    }

    /** The memory is unmapped. */
    void freed()
    {
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
