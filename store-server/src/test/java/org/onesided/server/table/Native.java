package org.onesided.server.table;

import java.nio.charset.StandardCharsets;
import org.agrona.UnsafeApi;
import org.onesided.verbs.MemoryRange;

/** Zeroed native memory that a test gives back when it closes it. */
final class Native implements AutoCloseable
{
    private final long allocated;
    private final MemoryRange range;

    Native(final long length)
    {
        allocated = UnsafeApi.allocateMemory(length + 4096);
        range = new MemoryRange((allocated + 4095) / 4096 * 4096, length);
        UnsafeApi.setMemory(range.address(), length, (byte)0);
    }

    MemoryRange range()
    {
        return range;
    }

    long address()
    {
        return range.address();
    }

    /** Puts text at the start; says how long it is. */
    int text(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes(bytes);
    }

    int bytes(final byte[] bytes)
    {
        range.addressOf(0, bytes.length);
        for (int i = 0; i < bytes.length; i++)
        {
            UnsafeApi.putByte(range.address() + i, bytes[i]);
        }
        return bytes.length;
    }

    static byte[] read(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return bytes;
    }

    @Override
    public void close()
    {
        UnsafeApi.freeMemory(allocated);
    }
}
