package org.onesided.verbs.tcp;

import java.util.function.Consumer;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.posix.Pages;

/**
 * Memory of this process that can be registered.
 */
class TcpMemory implements DeviceMemory
{
    private final Consumer<TcpMemory> onFree;
    private final Runnable onFreed;
    private final Pages memory;
    private final UseCount uses = new UseCount("free", "the memory");

    /**
     * @param memory  to be given back with this.
     * @param onFree  is called before the memory is freed.
     * @param onFreed is called after that.
     */
    TcpMemory(final Pages memory, final Consumer<TcpMemory> onFree, final Runnable onFreed)
    {
        this.onFree = onFree;
        this.onFreed = onFreed;
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
            onFree.accept(this);
            memory.close();
            onFreed.run();
        }
    }

    UseCount uses()
    {
        return uses;
    }
}
