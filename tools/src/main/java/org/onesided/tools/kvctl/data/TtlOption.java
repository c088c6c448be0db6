package org.onesided.tools.kvctl.data;

import java.time.Duration;
import org.onesided.client.types.Expiry;
import org.onesided.tools.settings.LifeTime;
import picocli.CommandLine.Option;

/**
 * How long a key is to live that a command writes.
 */
public final class TtlOption
{
    @Option(
        names = "--ttl",
        paramLabel = "TIME",
        converter = LifeTime.class,
        description = "Let the key expire so long after this write: 1ms to 36525d, such as 500ms, 10m, 1h30m or 30d.")
    private Duration ttl;

    boolean isGiven()
    {
        return ttl != null;
    }

    /** That time, else {@code otherwise}. */
    Expiry or(final Expiry otherwise)
    {
        return ttl == null ? otherwise : Expiry.after(ttl);
    }
}
