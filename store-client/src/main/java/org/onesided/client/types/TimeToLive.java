package org.onesided.client.types;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Until when a key lives, as the server told.
 *
 * @param left how long from the answer on; null if the key stays.
 * @param end  that time by the server's clock, which may differ from the caller's; null if the key stays.
 */
public record TimeToLive(@Nullable Duration left, @Nullable Instant end)
{
    /** The key stays. */
    public static final TimeToLive FOREVER = new TimeToLive(null, null);

    /**
     * @return whether the key has a time at all.
     */
    public boolean expires()
    {
        return left != null;
    }
}
