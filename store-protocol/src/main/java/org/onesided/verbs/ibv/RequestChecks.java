package org.onesided.verbs.ibv;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.SendFlags;

/**
 * Detects invalid requests before a provider sees them. Providers check differently: rxe passes an unknown opcode to
 * the kernel, which uses it as an index, and inline READs too; mlx5 refuses too many elements as if its queue were
 * full. The checks cost a few loads per request, from lines that the provider reads next.
 */
final class RequestChecks
{
    /** Longest message of the InfiniBand specification; a sum beyond 32 bits would be cut off. */
    private static final long MOST_BYTES = 1L << 31;
    private static final long LENGTH_MASK = 0xFFFF_FFFFL;

    private RequestChecks()
    {
    }

    /**
     * @param first       address of the first {@code ibv_send_wr}.
     * @param maxElements elements that a request may have.
     * @param maxInline   bytes that a request may carry inline.
     * @return address of the request before the first wrong one, 0 if none is wrong, or {@code first} negated if the
     *         first itself is wrong.
     */
    static long sends(final long first, final int maxElements, final int maxInline)
    {
        long before = -first;
        for (long request = first; request != 0; request = UnsafeApi.getLong(request + NEXT_OFFSET))
        {
            if (!isGood(request, maxElements, maxInline))
            {
                return before;
            }
            before = request;
        }
        return 0;
    }

    /**
     * @param first       address of the first {@code ibv_recv_wr}.
     * @param maxElements elements that a receive may have.
     * @return as {@link #sends}.
     */
    static long receives(final long first, final int maxElements)
    {
        long before = -first;
        long request = first;
        while (request != 0)
        {
            final int count = UnsafeApi.getInt(request + ReceiveRequestDescriptor.ELEMENT_COUNT_OFFSET);
            if (count < 0 || count > maxElements ||
                totalLength(UnsafeApi.getLong(request + ReceiveRequestDescriptor.ELEMENTS_OFFSET), count) > MOST_BYTES)
            {
                return before;
            }
            before = request;
            request = UnsafeApi.getLong(request + ReceiveRequestDescriptor.NEXT_OFFSET);
        }
        return 0;
    }

    private static boolean isGood(final long request, final int maxElements, final int maxInline)
    {
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        if (opcode < Opcode.RDMA_WRITE || opcode > Opcode.ATOMIC_FETCH_AND_ADD || count < 0 || count > maxElements)
        {
            return false;
        }
        final long length = totalLength(UnsafeApi.getLong(request + ELEMENTS_OFFSET), count);
        if ((UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.INLINE) != 0)
        {
            return opcode < Opcode.RDMA_READ && length <= maxInline;
        }
        return opcode < Opcode.ATOMIC_CMP_AND_SWP ? length <= MOST_BYTES : length == Long.BYTES;
    }

    private static long totalLength(final long elements, final int count)
    {
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            final long length = elements + (long)i * ElementDescriptor.LENGTH + ElementDescriptor.LENGTH_OFFSET;
            total += UnsafeApi.getInt(length) & LENGTH_MASK;
        }
        return total;
    }
}
