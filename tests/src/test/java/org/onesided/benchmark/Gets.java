package org.onesided.benchmark;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreSession;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Lookups of records of one length, through the client library.
 */
final class Gets
{
    private static final int KEY_LENGTH = 16;

    private final StoreSession session;
    private final int valueLength;
    private final List<byte[]> keys = new ArrayList<>();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer value;
    private long found;

    /**
     * Puts the records.
     *
     * @param session      to use from here on.
     * @param recordLength of each record in the region, in bytes; a multiple of a granule.
     * @param count        of records.
     */
    Gets(final StoreSession session, final int recordLength, final int count)
    {
        this.session = session;
        valueLength = recordLength - RecordDescriptor.HEADER_LENGTH - KEY_LENGTH;
        if (valueLength < 0 || recordLength % SlotWord.GRANULE != 0)
        {
            throw new IllegalArgumentException("no record has this length: recordLength=" + recordLength);
        }
        value = new UnsafeBuffer(new byte[valueLength]);
        for (int i = 0; i < count; i++)
        {
            final String text = String.format("%06d-%09d", recordLength, i);
            keys.add(text.getBytes(StandardCharsets.US_ASCII));
            session.put(keys.get(i), new byte[valueLength]);
        }
    }

    /**
     * Looks keys up one after the other.
     *
     * @return mean time of one in nanoseconds.
     */
    double meanNs(final int count)
    {
        final long beginNs = System.nanoTime();
        for (int i = 0; i < count; i++)
        {
            key.wrap(keys.get(i % keys.size()));
            if (session.get(key, 0, KEY_LENGTH, value, 0) != valueLength)
            {
                throw new IllegalStateException("another value than was put");
            }
        }
        return (System.nanoTime() - beginNs) / (double)count;
    }

    /**
     * Looks all keys up, many at once.
     *
     * @return keys per second.
     */
    double pipelinedPerSecond(final int rounds)
    {
        found = 0;
        final long beginNs = System.nanoTime();
        for (int i = 0; i < rounds; i++)
        {
            session.getAll(keys, (index, bytes) -> found += bytes == null ? 0 : 1);
        }
        final double seconds = (System.nanoTime() - beginNs) / 1e9;
        if (found != (long)rounds * keys.size())
        {
            throw new IllegalStateException("keys are missing: found=" + found);
        }
        return found / seconds;
    }
}
