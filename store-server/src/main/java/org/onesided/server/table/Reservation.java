package org.onesided.server.table;

import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordCheckStream;

/**
 * An extent whose value is on its way, and its code as far as it is computed.
 */
final class Reservation
{
    private final long hash;
    private final long length;
    private final RecordCheckStream stream;

    Reservation(final long hash, final long address, final long length, final RecordCheck check)
    {
        this.hash = hash;
        this.length = length;
        stream = check.stream();
        stream.reset(address, length);
    }

    /** Hashes the next part of the record; says whether that was the last one. */
    boolean step(final int maxBytes)
    {
        stream.update(maxBytes);
        return stream.isWhole();
    }

    long code(final long version, final long offset)
    {
        stream.update(Long.MAX_VALUE);
        return stream.code(version, offset);
    }

    /** Of the key. */
    long hash()
    {
        return hash;
    }

    /** Of the record, in bytes. */
    long length()
    {
        return length;
    }
}
