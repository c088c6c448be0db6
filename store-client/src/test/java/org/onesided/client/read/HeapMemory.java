package org.onesided.client.read;

import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.NativeArray;

/**
 * Memory that is no device's.
 */
final class HeapMemory implements DeviceMemory
{
    private final NativeArray array;

    HeapMemory(final long length)
    {
        array = new NativeArray(length);
    }

    @Override
    public MemoryRange range()
    {
        return array.range();
    }

    @Override
    public void close()
    {
        array.close();
    }
}
