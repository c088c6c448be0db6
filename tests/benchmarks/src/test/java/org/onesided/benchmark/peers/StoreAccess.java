package org.onesided.benchmark.peers;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreClient;
import org.onesided.peers.Records;

/** A thread's calls of a client of onesided, which threads share. */
final class StoreAccess implements RecordAccess
{
    private final StoreClient client;
    private final byte[] keyBytes = new byte[Records.KEY_LENGTH];
    private final byte[] valueBytes = Records.template(VALUE_LENGTH);
    private final UnsafeBuffer key = new UnsafeBuffer(keyBytes);
    private final UnsafeBuffer value = new UnsafeBuffer(valueBytes);
    private final UnsafeBuffer found = new UnsafeBuffer(new byte[VALUE_LENGTH]);

    StoreAccess(final StoreClient client)
    {
        this.client = client;
    }

    @Override
    public long get(final long number)
    {
        Records.key(number, keyBytes);
        return client.get(key, 0, Records.KEY_LENGTH, found, 0) == VALUE_LENGTH ?
            found.getLong(0, ByteOrder.LITTLE_ENDIAN) : Records.ABSENT;
    }

    @Override
    public void put(final long number)
    {
        Records.key(number, keyBytes);
        Records.value(number, valueBytes);
        client.put(key, 0, Records.KEY_LENGTH, value, 0, VALUE_LENGTH);
    }

    @Override
    public void putAll(final long first, final int count)
    {
        final List<byte[]> keys = new ArrayList<>(count);
        final List<byte[]> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
        {
            Records.key(first + i, keyBytes);
            Records.value(first + i, valueBytes);
            keys.add(keyBytes.clone());
            values.add(valueBytes.clone());
        }
        client.putAll(keys, values);
    }
}
