package org.onesided.client.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.verbs.MemoryRange;

/**
 * Registered memory without a device, freed together.
 */
public final class TestMemory implements AutoCloseable
{
    private final List<Long> allocations = new ArrayList<>();

    /**
     * @param text any.
     * @return its bytes in UTF-8.
     */
    public static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * @param length in bytes.
     * @return a buffer of that length.
     */
    public RegisteredBuffer buffer(final long length)
    {
        final long memory = UnsafeApi.allocateMemory(length);
        allocations.add(memory);
        return new RegisteredBuffer(new MemoryRange(memory, length), 1, 2);
    }

    @Override
    public void close()
    {
        allocations.forEach(UnsafeApi::freeMemory);
    }
}
