package org.onesided.client.read;

import java.time.Instant;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.ScannedEntry;
import org.onesided.client.types.Version;
import org.onesided.protocol.table.RecordDescriptor;

/**
 * The record that was judged live last, as a scan's consumer sees it.
 */
final class RecordEntry implements ScannedEntry
{
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer value = new UnsafeBuffer(0, 0);
    private long tableId;
    private long number;
    private long expiry;

    void wrap(final RecordReader records, final long ofTable)
    {
        key.wrap(records.keyAddress(), records.keyLength());
        value.wrap(records.valueAddress(), records.valueLength());
        tableId = ofTable;
        number = records.version();
        expiry = records.expiry();
    }

    @Override
    public DirectBuffer key()
    {
        return key;
    }

    @Override
    public DirectBuffer value()
    {
        return value;
    }

    @Override
    public Version version()
    {
        return new Version(tableId, number);
    }

    @Override
    public void version(final MutableVersion version)
    {
        version.set(tableId, number);
    }

    @Override
    public Instant expiry()
    {
        return expiry == RecordDescriptor.NEVER ? null : Instant.ofEpochMilli(expiry);
    }
}
