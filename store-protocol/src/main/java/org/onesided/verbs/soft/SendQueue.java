package org.onesided.verbs.soft;

import static org.onesided.verbs.SendRequestDescriptor.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongPredicate;
import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.SendFlags;

/**
 * The send requests of a queue pair: a ring of copies, each laid out as {@code ibv_send_wr} with its elements behind
 * it, and inline data behind those as one more element. A place is freed when a completion at or behind it was
 * polled. A device that does a request at once issues and executes it in one.
 *
 * <pre>
 *   freed          executed          issued         posted
 *     | done, not yet  | under way      |  waiting     |
 *     | polled         |                |              |
 * </pre>
 */
public final class SendQueue
{
    /** Length of the whole message, in the part of the request that verbs leave unused. */
    private static final int TOTAL_LENGTH_OFFSET = ATOMIC_REMOTE_KEY_OFFSET + 2 * Integer.BYTES;

    /** 8 bytes for the device's own use, in the same part. */
    static final int DEVICE_WORD_OFFSET = TOTAL_LENGTH_OFFSET + Long.BYTES;

    private static final VarHandle FREED;

    static
    {
        try
        {
            FREED = MethodHandles.lookup().findVarHandle(SendQueue.class, "freed", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private static final int COPIED_LENGTH = TOTAL_LENGTH_OFFSET;

    private final int capacity;
    private final int mask;
    private final int maxInline;
    private final int inlineOffset;
    private final int stride;
    private final NativeArray memory;
    private final long base;
    private long posted;
    private long issued;
    private long executed;
    private long freed;

    SendQueue(final int capacity, final int maxElements, final int maxInline)
    {
        this.capacity = capacity;
        this.maxInline = maxInline;
        final int slots = BitUtil.findNextPositivePowerOfTwo(capacity);
        mask = slots - 1;
        inlineOffset = LENGTH + Math.max(1, maxElements) * ElementDescriptor.LENGTH;
        stride = BitUtil.align(inlineOffset + maxInline, BitUtil.CACHE_LINE_LENGTH);
        memory = new NativeArray((long)slots * stride);
        base = memory.range().address();
    }

    boolean isFull()
    {
        return posted - (long)FREED.getAcquire(this) >= capacity;
    }

    /**
     * @return whether a request was not issued yet.
     */
    boolean hasWaiting()
    {
        return issued != posted;
    }

    /**
     * @return whether a request is under way.
     */
    public boolean hasIssued()
    {
        return executed != issued;
    }

    /**
     * @return whether a request is not done, under way or not.
     */
    boolean hasUnfinished()
    {
        return executed != posted;
    }

    /**
     * Copies a request that was found valid.
     */
    void add(final long request)
    {
        final long entry = base + (posted & mask) * stride;
        for (int i = 0; i < COPIED_LENGTH; i += Long.BYTES)
        {
            UnsafeApi.putLong(entry + i, UnsafeApi.getLong(request + i));
        }
        final long source = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        UnsafeApi.putLong(entry + ELEMENTS_OFFSET, entry + LENGTH);
        long total = 0;
        if ((UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.INLINE) != 0)
        {
            total = copyInline(source, count, entry + inlineOffset);
            UnsafeApi.putInt(entry + ELEMENT_COUNT_OFFSET, 1);
            UnsafeApi.putLong(entry + LENGTH + ElementDescriptor.ADDRESS_OFFSET, entry + inlineOffset);
            UnsafeApi.putInt(entry + LENGTH + ElementDescriptor.LENGTH_OFFSET, (int)total);
        }
        else
        {
            for (int i = 0; i < count; i++)
            {
                final int offset = i * ElementDescriptor.LENGTH;
                final long lengthAndKey = source + offset + ElementDescriptor.LENGTH_OFFSET;
                UnsafeApi.putLong(entry + LENGTH + offset, UnsafeApi.getLong(source + offset));
                UnsafeApi.putLong(
                    entry + LENGTH + offset + ElementDescriptor.LENGTH_OFFSET, UnsafeApi.getLong(lengthAndKey));
                total += UnsafeApi.getInt(lengthAndKey) & 0xFFFF_FFFFL;
            }
        }
        UnsafeApi.putLong(entry + TOTAL_LENGTH_OFFSET, total);
        posted++;
    }

    /**
     * @return the oldest request that was not issued.
     */
    long first()
    {
        return base + (issued & mask) * stride;
    }

    /**
     * @return the oldest request that is not done.
     */
    long oldest()
    {
        return base + (executed & mask) * stride;
    }

    /**
     * @param wanted says which, by the address of an {@code ibv_send_wr}.
     * @return address of the oldest request under way that is wanted, or 0.
     */
    public long findIssued(final LongPredicate wanted)
    {
        for (long position = executed; position != issued; position++)
        {
            final long request = base + (position & mask) * stride;
            if (wanted.test(request))
            {
                return request;
            }
        }
        return 0;
    }

    /**
     * @param request address of an {@code ibv_send_wr} in the ring.
     * @return length of the whole message in bytes.
     */
    public static long totalLength(final long request)
    {
        return UnsafeApi.getLong(request + TOTAL_LENGTH_OFFSET);
    }

    /**
     * Counts the oldest request that was not issued as under way.
     */
    void issue()
    {
        issued++;
    }

    /**
     * Counts the oldest request that is not done as executed.
     */
    void execute()
    {
        if (executed++ == issued)
        {
            issued = executed;
        }
    }

    /**
     * Counts a request that was executed without being put in; none may be waiting.
     */
    void pass()
    {
        posted++;
        issued++;
        executed++;
    }

    /**
     * @return up to where places are free once the completion of the request executed last is polled.
     */
    long executed()
    {
        return executed;
    }

    /**
     * @param upTo as {@link #executed()} returned; from the thread that polls, one at a time.
     */
    void free(final long upTo)
    {
        if (upTo > (long)FREED.getOpaque(this))
        {
            FREED.setRelease(this, upTo);
        }
    }

    void clear()
    {
        issued = posted;
        executed = posted;
        FREED.setRelease(this, posted);
    }

    void close()
    {
        memory.close();
    }

    private long copyInline(final long source, final int count, final long target)
    {
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            final long element = source + (long)i * ElementDescriptor.LENGTH;
            final long length = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL;
            if (total + length > maxInline)
            {
                throw new IllegalStateException("inline data passes its room: capacity=" + maxInline);
            }
            UnsafeApi.copyMemory(UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET), target + total, length);
            total += length;
        }
        return total;
    }
}
