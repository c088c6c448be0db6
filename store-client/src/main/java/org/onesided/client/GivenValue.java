package org.onesided.client;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.request.SessionWrites;
import org.onesided.client.request.WriteTerms;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.MutableVersion;

/**
 * Stores a value in the caller's kind of buffer under the key of a session's running operation, and ends the operation.
 * Not thread-safe.
 */
final class GivenValue
{
    private final SessionCore core;
    private final SessionWrites writes;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);

    GivenValue(final SessionCore core, final SessionWrites writes)
    {
        this.core = core;
        this.writes = writes;
    }

    void put(final byte[] value)
    {
        put(value, BufferUtil.ARRAY_BASE_OFFSET, value.length);
    }

    void put(final ByteBuffer value)
    {
        view.wrap(value, value.position(), value.remaining());
        put(view.byteArray(), view.addressOffset(), value.remaining());
        Reference.reachabilityFence(value);
    }

    void put(final DirectBuffer value, final int offset, final int length)
    {
        put(value.byteArray(), value.addressOffset() + offset, length);
        Reference.reachabilityFence(value);
    }

    /** Puts with terms; whether the condition held. */
    boolean put(
        final WriteTerms terms,
        final DirectBuffer value,
        final int offset,
        final int length,
        final MutableVersion version)
    {
        try
        {
            final boolean isApplied =
                writes.put(terms, value.byteArray(), value.addressOffset() + offset, length, version);
            Reference.reachabilityFence(value);
            return isApplied;
        }
        finally
        {
            core.endOperation();
        }
    }

    /** Appends to the key's value; returns its new length. */
    int append(
        final DirectBuffer value,
        final int offset,
        final int length,
        final WriteTerms terms,
        final MutableVersion version)
    {
        try
        {
            final int newLength =
                writes.append(value.byteArray(), value.addressOffset() + offset, length, terms, version);
            Reference.reachabilityFence(value);
            return newLength;
        }
        finally
        {
            core.endOperation();
        }
    }

    /** If the memory of the bytes was released, throws and ends the operation, too. */
    void put(final Bytes<?> value)
    {
        try
        {
            final int length = (int)Math.min(Integer.MAX_VALUE, value.readRemaining());
            final long address = BytesAdapter.addressOf(value);
            if (address != 0)
            {
                writes.put(null, address, length);
            }
            else
            {
                writes.put(value.toByteArray(), BufferUtil.ARRAY_BASE_OFFSET, length);
            }
            Reference.reachabilityFence(value);
        }
        finally
        {
            core.endOperation();
        }
    }

    private void put(final Object base, final long offset, final int length)
    {
        try
        {
            writes.put(base, offset, length);
        }
        finally
        {
            core.endOperation();
        }
    }
}
