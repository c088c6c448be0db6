package org.onesided.benchmark.peers;

import java.io.IOException;

/**
 * One thread's way to the records of a system, whose keys and values are those of
 * {@link org.onesided.peers.Records}. For one thread.
 */
interface RecordAccess
{
    /** Bytes of each value. */
    int VALUE_LENGTH = 100;

    /**
     * @param number of a record.
     * @return first word of its value, or {@link org.onesided.peers.Records#ABSENT}.
     * @throws IOException if the system fails.
     */
    long get(long number) throws IOException;

    /**
     * @param number of a record, which gets its value anew.
     * @throws IOException if the system fails.
     */
    void put(long number) throws IOException;

    /**
     * Puts records as fast as the system takes them.
     *
     * @param first of the records.
     * @param count of records, few enough for one request.
     * @throws IOException if the system fails.
     */
    default void putAll(final long first, final int count) throws IOException
    {
        for (int i = 0; i < count; i++)
        {
            put(first + i);
        }
    }
}
