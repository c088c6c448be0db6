package org.onesided.benchmark.peers;

import java.io.IOException;

/**
 * A cache of some memory, which a trace is replayed through by one client. Not thread-safe.
 */
interface ReplayedCache extends AutoCloseable
{
    /** Whether a key has a value, which is READ or sent. */
    boolean get(String key) throws IOException;

    /** Stores a value of some length. */
    void put(String key, int length) throws IOException;

    /** Bytes of memory that it says it has taken, or 0 if that is what it was told. */
    default long memory() throws IOException
    {
        return 0;
    }

    @Override
    void close() throws IOException;
}
