package org.onesided.tools.kvctl.pairs;

import java.io.IOException;

/**
 * Writes pairs, one per line. Not thread-safe.
 */
public interface PairWriter
{
    /**
     * @param key   any bytes.
     * @param value any bytes.
     * @throws IOException if the output cannot be written.
     */
    void write(byte[] key, byte[] value) throws IOException;

    /**
     * Flushes the buffer.
     *
     * @throws IOException if the output cannot be written.
     */
    void flush() throws IOException;
}
