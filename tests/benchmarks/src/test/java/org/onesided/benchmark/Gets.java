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
    private final List<UnsafeBuffer> buffers = new ArrayList<>();
    private final UnsafeBuffer value;
    private final List<byte[]> many = new ArrayList<>();
    private int last;
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
            buffers.add(new UnsafeBuffer(keys.get(i)));
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
            if (session.get(buffers.get(next()), 0, KEY_LENGTH, value, 0) != valueLength)
            {
                throw new IllegalStateException("another value than was put");
            }
        }
        return (System.nanoTime() - beginNs) / (double)count;
    }

    /**
     * Looks many keys up with one call.
     *
     * @return keys per second.
     */
    double pipelinedPerSecond(final int count)
    {
        while (many.size() < count)
        {
            many.add(keys.get(many.size() % keys.size()));
        }
        found = 0;
        final long beginNs = System.nanoTime();
        session.getAll(many, (index, bytes) -> found += bytes == null ? 0 : 1);
        final double seconds = (System.nanoTime() - beginNs) / 1e9;
        if (found != many.size())
        {
            throw new IllegalStateException("keys are missing: found=" + found);
        }
        return found / seconds;
    }

    private int next()
    {
        last = last + 1 == buffers.size() ? 0 : last + 1;
        return last;
    }
}
