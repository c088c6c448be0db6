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
}
