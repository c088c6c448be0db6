package org.onesided.client;

import java.nio.BufferOverflowException;
import java.nio.ByteOrder;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.UnsafeApi;

/**
 * Copies between Chronicle's {@code Bytes} and native memory, in one place.
 */
final class BytesAdapter
{
    private BytesAdapter()
    {
    }

    /** Copies the readable bytes, without moving the read position. */
    static void copyOut(final Bytes<?> source, final long address, final int length)
    {
        final long start = source.readPosition();
        if (length > 0 && isDirect(source))
        {
            UnsafeApi.copyMemory(source.addressForRead(start), address, length);
            return;
        }
        int i = 0;
        if (source.byteOrder() == ByteOrder.nativeOrder())
        {
            for (; i <= length - Long.BYTES; i += Long.BYTES)
            {
                UnsafeApi.putLong(address + i, source.readLong(start + i));
            }
        }
        for (; i < length; i++)
        {
            UnsafeApi.putByte(address + i, source.readByte(start + i));
        }
    }

    /** Address of the readable bytes if they are contiguous native memory, else 0. */
    static long addressOf(final Bytes<?> source)
    {
        return source.readRemaining() > 0 && isDirect(source) ? source.addressForRead(source.readPosition()) : 0;
    }

    /**
     * Clears the target and fills it.
     *
     * @return whether there was room.
     */
    static boolean fill(final Bytes<?> target, final long address, final int length)
    {
        target.clear();
        if (!hasRoom(target, length))
        {
            return false;
        }
        if (length > 0 && isDirect(target))
        {
            UnsafeApi.copyMemory(address, target.addressForWrite(target.writePosition()), length);
            target.writeSkip(length);
            return true;
        }
        int i = 0;
        if (target.byteOrder() == ByteOrder.nativeOrder())
        {
            for (; i <= length - Long.BYTES; i += Long.BYTES)
            {
                target.writeLong(UnsafeApi.getLong(address + i));
            }
        }
        for (; i < length; i++)
        {
            target.writeByte(UnsafeApi.getByte(address + i));
        }
        return true;
    }

    private static boolean hasRoom(final Bytes<?> target, final int length)
    {
        try
        {
            if (target.isElastic())
            {
                target.ensureCapacity(target.writePosition() + length);
            }
            return target.writePosition() + length <= Math.min(target.realCapacity(), target.writeLimit());
        }
        catch (final BufferOverflowException e)
        {
            return false;
        }
    }

    private static boolean isDirect(final Bytes<?> bytes)
    {
        return bytes.isDirectMemory();
    }
}
