package org.onesided.verbs.tcp;

import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/**
 * Numbers in network byte order at raw addresses.
 */
final class Wire
{
    private static final boolean SWAPS = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private Wire()
    {
    }

    static void putShort(final long address, final int value)
    {
        UnsafeApi.putShort(address, SWAPS ? Short.reverseBytes((short)value) : (short)value);
    }

    static int getShort(final long address)
    {
        final short value = UnsafeApi.getShort(address);
        return (SWAPS ? Short.reverseBytes(value) : value) & 0xFFFF;
    }

    static void putInt(final long address, final int value)
    {
        UnsafeApi.putInt(address, SWAPS ? Integer.reverseBytes(value) : value);
    }

    static int getInt(final long address)
    {
        final int value = UnsafeApi.getInt(address);
        return SWAPS ? Integer.reverseBytes(value) : value;
    }

    static void putLong(final long address, final long value)
    {
        UnsafeApi.putLong(address, SWAPS ? Long.reverseBytes(value) : value);
    }

    static long getLong(final long address)
    {
        final long value = UnsafeApi.getLong(address);
        return SWAPS ? Long.reverseBytes(value) : value;
    }

    /** MPA sends the CRC as iSCSI does: the lowest byte first. */
    static void putCrc(final long address, final int value)
    {
        UnsafeApi.putInt(address, SWAPS ? value : Integer.reverseBytes(value));
    }

    static int getCrc(final long address)
    {
        final int value = UnsafeApi.getInt(address);
        return SWAPS ? value : Integer.reverseBytes(value);
    }
}
