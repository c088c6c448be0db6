package org.onesided.client;

import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.BufferUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.read.SessionGets;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;

/**
 * Looks up the key of a session's running operation, returns the value in the caller's kind of buffer, and ends the
 * operation. Not thread-safe.
 */
final class FoundValue
{
    private final SessionCore core;
    private final SessionGets gets;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);

    FoundValue(final SessionCore core, final SessionGets gets)
    {
        this.core = core;
        this.gets = gets;
    }

    /** The value, or null for none. */
    byte @Nullable [] copy()
    {
        try
        {
            final int length = gets.find();
            return length == SessionGets.ABSENT ? null : newValue(length);
        }
        finally
        {
            core.endOperation();
        }
    }

    /** The value with its version, or null for none. */
    @Nullable VersionedValue<byte[]> copyVersioned()
    {
        try
        {
            final int length = gets.findVersioned();
            return length == SessionGets.ABSENT ? null :
                new VersionedValue<>(newValue(length), new Version(gets.tableId(), gets.version()));
        }
        finally
        {
            core.endOperation();
        }
    }

    private byte[] newValue(final int length)
    {
        final byte[] value = new byte[length];
        UnsafeApi.copyMemory(null, gets.valueAddress(), value, BufferUtil.ARRAY_BASE_OFFSET, length);
        return value;
    }

    /** Fills a buffer with the value, or clears it; whether there is a value. */
    boolean copyTo(final Bytes<?> value)
    {
        try
        {
            final int length = gets.find();
            if (length == SessionGets.ABSENT)
            {
                value.clear();
                return false;
            }
            if (!BytesAdapter.fill(value, gets.valueAddress(), length))
            {
                throw noRoom(length, value.realCapacity());
            }
            return true;
        }
        finally
        {
            core.endOperation();
        }
    }

    /** Copies the value into a buffer; returns its length or {@link SessionGets#ABSENT}. */
    int copyTo(final MutableDirectBuffer value, final int offset)
    {
        try
        {
            final int length = gets.find();
            fill(value, offset, length);
            return length;
        }
        finally
        {
            core.endOperation();
        }
    }

    /** As {@link #copyTo(MutableDirectBuffer, int)}, also the value's version; 0 for none. */
    int copyTo(final MutableDirectBuffer value, final int offset, final MutableVersion version)
    {
        try
        {
            final int length = gets.findVersioned();
            fill(value, offset, length);
            version.set(gets.tableId(), length == SessionGets.ABSENT ? 0 : gets.version());
            return length;
        }
        finally
        {
            core.endOperation();
        }
    }

    private void fill(final MutableDirectBuffer value, final int offset, final int length)
    {
        if (length > 0)
        {
            final long room = (long)value.capacity() - offset;
            if (offset < 0 || room < length && !value.isExpandable())
            {
                throw noRoom(length, room);
            }
            view.wrap(gets.valueAddress(), length);
            value.putBytes(offset, view, 0, length);
        }
    }

    /** Copies the value to a buffer's position, which advances; returns its length or {@link SessionGets#ABSENT}. */
    int copyTo(final ByteBuffer value)
    {
        try
        {
            final int length = gets.find();
            if (length > 0)
            {
                if (value.remaining() < length)
                {
                    throw noRoom(length, value.remaining());
                }
                view.wrap(gets.valueAddress(), length);
                view.getBytes(0, value, value.position(), length);
                value.position(value.position() + length);
            }
            return length;
        }
        finally
        {
            core.endOperation();
        }
    }

    /** Whether there is a value. */
    boolean isPresent()
    {
        try
        {
            return gets.find() != SessionGets.ABSENT;
        }
        finally
        {
            core.endOperation();
        }
    }

    private StoreException noRoom(final int length, final long room)
    {
        return new StoreLimitException(
            "value does not fit, give more room: length=" + length + " room=" + room,
            core.operation().failure(WriteFate.NONE));
    }
}
