package org.onesided.client.types;

import java.time.Instant;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A pair that a scan passes. All of it is valid only until the scan's consumer returns. Not thread-safe.
 */
public interface ScannedEntry
{
    /**
     * @return the key, from 0 to the buffer's capacity.
     */
    DirectBuffer key();

    /**
     * @return the value, from 0 to the buffer's capacity.
     */
    DirectBuffer value();

    /**
     * @return version of the value, newly allocated; it stays valid.
     */
    Version version();

    /**
     * Gives the version without allocating.
     *
     * @param version gets the version of the value.
     */
    void version(MutableVersion version);

    /**
     * @return when the key expires by the server's clock, or null if it stays.
     */
    @Nullable Instant expiry();
}
