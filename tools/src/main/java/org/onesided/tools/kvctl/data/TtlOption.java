package org.onesided.tools.kvctl.data;

import org.onesided.client.types.Expiry;
import org.onesided.tools.kvctl.console.Figures;
import picocli.CommandLine.Option;

/**
 * How long a key is to live that a command writes.
 */
public final class TtlOption
{
    @Option(
        names = "--ttl",
        paramLabel = "TIME",
        converter = ExpiryText.class,
        description = "Let the key expire so long after this write: 1ms to 36525d, such as 500ms, 10m, 1h30m or 30d; " +
            "or never.")
    private Expiry ttl;

    /** That time, else {@code otherwise}. */
    Expiry or(final Expiry otherwise)
    {
        return ttl == null ? otherwise : ttl;
    }

    /** Adds what was given, by the names that {@code kvctl ttl} uses. */
    void addTo(final Figures figures)
    {
        if (ttl != null)
        {
            final boolean hasTtl = ttl.kind() == Expiry.Kind.AFTER;
            figures.add("has_ttl", hasTtl);
            if (hasTtl)
            {
                figures.add("ttl_ms", ttl.milliseconds());
            }
        }
    }
}
