package org.onesided.verbs.tcp;

import java.util.function.Consumer;
import org.onesided.verbs.posix.GrowingDeviceMemory;
import org.onesided.verbs.posix.GrowingMemory;

/**
 * Memory of this process that can be registered, and whose pages come piece by piece.
 */
final class GrowableTcpMemory extends TcpMemory implements GrowingDeviceMemory
{
    private final GrowingMemory memory;

    /**
     * @param memory  to be given back with this.
     * @param onFree  is told before the memory is given back.
     * @param onFreed is told after it.
     */
    GrowableTcpMemory(final GrowingMemory memory, final Consumer<TcpMemory> onFree, final Runnable onFreed)
    {
        super(memory, onFree, onFreed);
        this.memory = memory;
    }

    @Override
    public GrowingMemory growing()
    {
        return memory;
    }
}
