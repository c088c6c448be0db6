package org.onesided.server.eviction;

import java.util.Arrays;
import java.util.Locale;

/**
 * Which records leave a table whose memory is full.
 */
public enum Eviction
{
    /** None: a put that finds no room is refused. */
    NONE,
    /** Those of which the fewest lookups are to be expected for their bytes, as far as was learned. */
    DENSITY;

    /**
     * @param name as {@link #label} has it.
     * @return what it names.
     * @throws IllegalArgumentException if it names none.
     */
    public static Eviction of(final String name)
    {
        for (final Eviction each : values())
        {
            if (each.label().equals(name))
            {
                return each;
            }
        }
        throw new IllegalArgumentException("no such eviction, take one of " + labels(", ") + ": evict=" + name);
    }

    /**
     * @return its name in settings.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * @param separator between two.
     * @return all names.
     */
    public static String labels(final String separator)
    {
        return String.join(separator, Arrays.stream(values()).map(Eviction::label).toList());
    }
}
