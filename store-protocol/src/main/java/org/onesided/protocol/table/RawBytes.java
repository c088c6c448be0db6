package org.onesided.protocol.table;

import com.dynatrace.hash4j.hashing.ByteAccess;
import org.agrona.UnsafeApi;

/**
 * Lets hash4j read raw memory: an offset is an address.
 */
enum RawBytes implements ByteAccess<Void>
{
    /** The only instance. */
    INSTANCE;

    @Override
    public byte getByte(final Void none, final long address)
    {
        return UnsafeApi.getByte(address);
    }

    @Override
    public int getInt(final Void none, final long address)
    {
        return UnsafeApi.getInt(address);
    }

    @Override
    public long getLong(final Void none, final long address)
    {
        return UnsafeApi.getLong(address);
    }
}
