package org.onesided.server.table;

import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordCheckStream;

/**
 * An extent whose value is on its way, and its code as far as it is computed; used again for another.
 */
final class Reservation
{
    private final RecordCheckStream stream;
    private long hash;
    private long length;

    Reservation(final RecordCheck check)
    {
        stream = check.stream();
    }

    Reservation begin(final long keyHash, final long address, final long recordLength)
    {
        hash = keyHash;
        length = recordLength;
        stream.reset(address, recordLength);
        return this;
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
