package org.onesided.tools.kvctl.pairs;

import java.io.IOException;
import java.time.Instant;
import org.onesided.client.types.Version;

/**
 * Writes pairs, one per line. Not thread-safe.
 */
public interface PairWriter
{
    /**
     * @param key     any bytes.
     * @param value   any bytes.
     * @param version of the value; null to leave it out.
     * @param expiry  when the key expires; null to leave it out.
     * @throws IOException if the output cannot be written.
     */
    void write(byte[] key, byte[] value, Version version, Instant expiry) throws IOException;

    /**
     * Writes that a key is absent, where the form has words for that.
     *
     * @param key any bytes.
     * @throws IOException if the output cannot be written.
     */
    default void writeAbsent(final byte[] key) throws IOException
    {
    }

    /**
     * Flushes the buffer.
     *
     * @throws IOException if the output cannot be written.
     */
    void flush() throws IOException;
}
