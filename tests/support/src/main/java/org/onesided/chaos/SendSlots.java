package org.onesided.chaos;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.SendFlags;

/**
 * Copies of the send requests of a queue pair, each with its elements and its inline data, and room for one request
 * that is a part of a READ. Not thread-safe.
 */
final class SendSlots implements AutoCloseable
{
    private final int capacity;
    private final int inlineOffset;
    private final int stride;
    private final NativeArray memory;

    /**
     * @param capacity    requests.
     * @param maxElements of each.
     * @param maxInline   bytes of each.
     */
    SendSlots(final int capacity, final int maxElements, final int maxInline)
    {
        this.capacity = capacity;
        inlineOffset = LENGTH + maxElements * ElementDescriptor.LENGTH;
        stride = inlineOffset + maxInline + Long.BYTES & -Long.BYTES;
        memory = new NativeArray((capacity + 1L) * stride);
    }

    /**
     * Copies a request that was found valid.
     *
     * @param position of the request.
     * @param request  address of an {@code ibv_send_wr}.
     * @param id       that the copy gets.
     * @return address of the copy, which is signaled and the last of its chain.
     */
    long copy(final long position, final long request, final long id)
    {
        final long slot = memory.range().addressOf(position % capacity * stride, stride);
        UnsafeApi.copyMemory(request, slot, LENGTH);
        final int flags = UnsafeApi.getInt(request + FLAGS_OFFSET);
        final long source = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        UnsafeApi.copyMemory(source, slot + LENGTH, (long)count * ElementDescriptor.LENGTH);
        long inline = slot + inlineOffset;
        for (int i = 0; i < count && (flags & SendFlags.INLINE) != 0; i++)
        {
            final long element = slot + LENGTH + (long)i * ElementDescriptor.LENGTH;
            final long length = length(element);
            UnsafeApi.copyMemory(UnsafeApi.getLong(element), inline, length);
            UnsafeApi.putLong(element, inline);
            inline += length;
        }
        UnsafeApi.putLong(slot + ID_OFFSET, id);
        UnsafeApi.putLong(slot + NEXT_OFFSET, 0);
        UnsafeApi.putLong(slot + ELEMENTS_OFFSET, slot + LENGTH);
        // Whether its poster wants to hear of it is another matter. The fence was waited for.
        UnsafeApi.putInt(slot + FLAGS_OFFSET, flags & ~SendFlags.FENCE | SendFlags.SIGNALED);
        return slot;
    }

    /**
     * Makes a request that READs a part of what another one does.
     *
     * @param request address of a copy.
     * @param begin   of the part, in bytes.
     * @param end     of the part.
     * @return address of the part, until the next is made.
     */
    long part(final long request, final long begin, final long end)
    {
        final long part = memory.range().addressOf((long)capacity * stride, stride);
        UnsafeApi.copyMemory(request, part, LENGTH);
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        int taken = 0;
        long position = 0;
        for (int i = 0; i < count; i++)
        {
            final long element = elements + (long)i * ElementDescriptor.LENGTH;
            final long length = length(element);
            final long from = Math.max(begin - position, 0);
            final long to = Math.min(end - position, length);
            if (from < to)
            {
                final long target = part + LENGTH + (long)taken++ * ElementDescriptor.LENGTH;
                UnsafeApi.copyMemory(element, target, ElementDescriptor.LENGTH);
                UnsafeApi.putLong(target, UnsafeApi.getLong(element) + from);
                UnsafeApi.putInt(target + ElementDescriptor.LENGTH_OFFSET, (int)(to - from));
            }
            position += length;
        }
        UnsafeApi.putLong(part + ELEMENTS_OFFSET, part + LENGTH);
        UnsafeApi.putInt(part + ELEMENT_COUNT_OFFSET, taken);
        UnsafeApi.putLong(part + REMOTE_ADDRESS_OFFSET, UnsafeApi.getLong(request + REMOTE_ADDRESS_OFFSET) + begin);
        return part;
    }

    /**
     * @param request address of a copy.
     * @param begin   of a part, in bytes.
     * @param end     of the part.
     * @return a number that tells what the part's bytes are on this side.
     */
    long bytesOf(final long request, final long begin, final long end)
    {
        final long part = part(request, begin, end);
        long hash = 0;
        for (int i = 0; i < UnsafeApi.getInt(part + ELEMENT_COUNT_OFFSET); i++)
        {
            final long element = part + LENGTH + (long)i * ElementDescriptor.LENGTH;
            final long address = UnsafeApi.getLong(element);
            for (long j = 0; j < length(element); j++)
            {
                hash = hash * 0x9E37_79B9_7F4A_7C15L + UnsafeApi.getByte(address + j) + 1;
            }
        }
        return hash;
    }

    /**
     * @param request address of an {@code ibv_send_wr}.
     * @return length of its whole message.
     */
    static long totalLength(final long request)
    {
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            total += length(elements + (long)i * ElementDescriptor.LENGTH);
        }
        return total;
    }

    @Override
    public void close()
    {
        memory.close();
    }

    private static long length(final long element)
    {
        return UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL;
    }
}
