package org.onesided.client.read;

import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies of the keys of questions that were asked, until they are carried out: in order of their deadlines, and those
 * with the same deadline in order of their begin. Not thread-safe.
 */
final class CollectedKeys
{
    /** Maximum number of questions. */
    static final int CAPACITY = 64;

    private static final int KEYS_LENGTH = 64 * 1024;

    private final UnsafeBuffer keys = new UnsafeBuffer(BufferUtil.allocateDirectAligned(KEYS_LENGTH, Long.BYTES));
    private final int[] keyOffsets = new int[CAPACITY];
    private final int[] keyLengths = new int[CAPACITY];
    private final long[] correlations = new long[CAPACITY];
    private final long[] deadlinesNs = new long[CAPACITY];
    private int count;
    private int used;

    int count()
    {
        return count;
    }

    /** Adds a question about a key; whether there was room for it. */
    boolean add(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        if (count == CAPACITY || used + keyLength > KEYS_LENGTH)
        {
            return false;
        }
        int i = count++;
        while (i > 0 && deadlinesNs[i - 1] - deadlineNs > 0)
        {
            keyOffsets[i] = keyOffsets[i - 1];
            keyLengths[i] = keyLengths[i - 1];
            correlations[i] = correlations[i - 1];
            deadlinesNs[i] = deadlinesNs[i - 1];
            i--;
        }
        keys.putBytes(used, key, keyOffset, keyLength);
        keyOffsets[i] = used;
        keyLengths[i] = keyLength;
        correlations[i] = correlation;
        deadlinesNs[i] = deadlineNs;
        used += keyLength;
        return true;
    }

    void clear()
    {
        count = 0;
        used = 0;
    }

    /** Raw address of a key. */
    long keyAddress(final int i)
    {
        return keys.addressOffset() + keyOffsets[i];
    }

    int keyLength(final int i)
    {
        return keyLengths[i];
    }

    long correlation(final int i)
    {
        return correlations[i];
    }

    /** When the question must be answered, a time of {@link System#nanoTime()}. */
    long deadlineNs(final int i)
    {
        return deadlinesNs[i];
    }
}
