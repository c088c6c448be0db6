package org.onesided.verbs.soft;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.SendFlags;

/**
 * Detects invalid requests when they are posted.
 */
final class RequestChecks
{
    private RequestChecks()
    {
    }

    static int send(final long request, final QueuePairInitAttributes attributes)
    {
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        if (opcode < Opcode.RDMA_WRITE || opcode > Opcode.ATOMIC_FETCH_AND_ADD ||
            count < 0 || count > attributes.maxSendElements())
        {
            return Errno.EINVAL;
        }
        if (opcode >= Opcode.ATOMIC_CMP_AND_SWP && attributes.untrustedPeer())
        {
            return Errno.EOPNOTSUPP;
        }
        if ((UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.INLINE) != 0)
        {
            return opcode < Opcode.RDMA_READ && totalLength(request) <= attributes.maxInline() ? 0 : Errno.EINVAL;
        }
        return 0;
    }

    static int receive(final long request, final int maxElements)
    {
        final int count = UnsafeApi.getInt(request + ReceiveRequestDescriptor.ELEMENT_COUNT_OFFSET);
        return count >= 0 && count <= maxElements ? 0 : Errno.EINVAL;
    }

    /**
     * @return length of the whole message of a request.
     */
    static long totalLength(final long request)
    {
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            final long length = elements + (long)i * ElementDescriptor.LENGTH + ElementDescriptor.LENGTH_OFFSET;
            total += UnsafeApi.getInt(length) & 0xFFFF_FFFFL;
        }
        return total;
    }
}
