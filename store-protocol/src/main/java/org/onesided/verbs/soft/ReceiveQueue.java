package org.onesided.verbs.soft;

import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.ReceiveRequestDescriptor;

/**
 * Receive requests: a ring of copies in the order of posting. Positions count from 0 and are never reused. Not
 * thread-safe; its owner's lock guards it.
 *
 * <pre>
 *   0         4         8         12        16
 *  +---------+---------+---------+---------+
 *  | wr_id             | total length      |
 *  +---------+---------+---------+---------+
 *  | num_sge | padding | elements     ...  |
 *  +---------+---------+---------+---------+
 * </pre>
 */
public final class ReceiveQueue implements AutoCloseable
{
    private static final int ID_OFFSET = 0;
    private static final int TOTAL_LENGTH_OFFSET = ID_OFFSET + Long.BYTES;
    private static final int ELEMENT_COUNT_OFFSET = TOTAL_LENGTH_OFFSET + Long.BYTES;
    private static final int ELEMENTS_OFFSET = ELEMENT_COUNT_OFFSET + Long.BYTES;

    private final int capacity;
    private final int mask;
    private final int stride;
    private final NativeArray memory;
    private final long base;
    private long posted;
    private long consumed;

    /**
     * @param capacity    outstanding receives, from 1.
     * @param maxElements scatter/gather elements of each, from 1.
     */
    public ReceiveQueue(final int capacity, final int maxElements)
    {
        this.capacity = capacity;
        final int slots = BitUtil.findNextPositivePowerOfTwo(capacity);
        mask = slots - 1;
        stride = ELEMENTS_OFFSET + maxElements * ElementDescriptor.LENGTH;
        memory = new NativeArray((long)slots * stride);
        base = memory.range().address();
    }

    /**
     * @return whether the queue is full.
     */
    public boolean isFull()
    {
        return posted - consumed >= capacity;
    }

    /**
     * @return whether none is posted.
     */
    public boolean isEmpty()
    {
        return posted == consumed;
    }

    /**
     * @return how many were ever posted.
     */
    public long posted()
    {
        return posted;
    }

    /**
     * @return how many were ever consumed; the position of the oldest that is left.
     */
    public long consumed()
    {
        return consumed;
    }

    /**
     * Copies a request that was found valid.
     *
     * @param request address of an {@code ibv_recv_wr}.
     * @return its position.
     */
    public long add(final long request)
    {
        put(posted, request);
        return posted++;
    }

    /**
     * Copies a request that was found valid into a place that the caller chose, for one that does not keep the order.
     *
     * @param position from 0.
     * @param request  address of an {@code ibv_recv_wr}.
     */
    public void put(final long position, final long request)
    {
        final long entry = entry(position);
        final long source = UnsafeApi.getLong(request + ReceiveRequestDescriptor.ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ReceiveRequestDescriptor.ELEMENT_COUNT_OFFSET);
        UnsafeApi.putLong(entry + ID_OFFSET, UnsafeApi.getLong(request + ReceiveRequestDescriptor.ID_OFFSET));
        UnsafeApi.putInt(entry + ELEMENT_COUNT_OFFSET, count);
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            final int offset = i * ElementDescriptor.LENGTH;
            final long lengthAndKey = source + offset + ElementDescriptor.LENGTH_OFFSET;
            final long target = entry + ELEMENTS_OFFSET + offset;
            UnsafeApi.putLong(target, UnsafeApi.getLong(source + offset));
            UnsafeApi.putLong(target + ElementDescriptor.LENGTH_OFFSET, UnsafeApi.getLong(lengthAndKey));
            total += UnsafeApi.getInt(lengthAndKey) & 0xFFFF_FFFFL;
        }
        UnsafeApi.putLong(entry + TOTAL_LENGTH_OFFSET, total);
    }

    /**
     * @param position of a receive that was not consumed.
     * @return the number its poster gave it.
     */
    public long id(final long position)
    {
        return UnsafeApi.getLong(entry(position) + ID_OFFSET);
    }

    /**
     * @param position of a receive that was not consumed.
     * @return bytes it can take.
     */
    public long totalLength(final long position)
    {
        return UnsafeApi.getLong(entry(position) + TOTAL_LENGTH_OFFSET);
    }

    /**
     * @param position of a receive that was not consumed.
     * @return how many elements it has.
     */
    public int elementCount(final long position)
    {
        return UnsafeApi.getInt(entry(position) + ELEMENT_COUNT_OFFSET);
    }

    /**
     * @param position of a receive that was not consumed.
     * @return address of its {@code ibv_sge} array.
     */
    public long elements(final long position)
    {
        return entry(position) + ELEMENTS_OFFSET;
    }

    /**
     * Consumes the oldest receive.
     */
    public void consume()
    {
        consumed++;
    }

    /**
     * Forgets all receives.
     */
    public void clear()
    {
        consumed = posted;
    }

    /**
     * Frees the memory.
     */
    @Override
    public void close()
    {
        memory.close();
    }

    private long entry(final long position)
    {
        return base + (position & mask) * stride;
    }
}
