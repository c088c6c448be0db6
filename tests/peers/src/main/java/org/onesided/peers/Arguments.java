package org.onesided.peers;

import java.util.HashMap;
import java.util.Map;

/**
 * Named arguments of a worker or a command: words like {@code count=1000}. Immutable.
 */
public final class Arguments
{
    private final Map<String, String> values = new HashMap<>();

    /**
     * @param words each a name, {@code =} and a value.
     */
    public Arguments(final String... words)
    {
        for (final String word : words)
        {
            final int equals = word.indexOf('=');
            if (equals < 1)
            {
                throw new IllegalArgumentException("not name=value: word=" + word);
            }
            values.put(word.substring(0, equals), word.substring(equals + 1));
        }
    }

    /**
     * @param name of an argument.
     * @return its value.
     * @throws IllegalArgumentException if it is missing.
     */
    public String text(final String name)
    {
        final String value = values.get(name);
        if (value == null)
        {
            throw new IllegalArgumentException("argument is missing: name=" + name);
        }
        return value;
    }

    /**
     * @param name     of an argument.
     * @param fallback where it is missing.
     * @return its value.
     */
    public String text(final String name, final String fallback)
    {
        return values.getOrDefault(name, fallback);
    }

    /**
     * @param name of an argument.
     * @return its value.
     * @throws IllegalArgumentException if it is missing or no number.
     */
    public long number(final String name)
    {
        return Long.parseLong(text(name));
    }

    /**
     * @param name     of an argument.
     * @param fallback where it is missing.
     * @return its value.
     * @throws IllegalArgumentException if it is no number.
     */
    public long number(final String name, final long fallback)
    {
        return values.containsKey(name) ? number(name) : fallback;
    }
}
