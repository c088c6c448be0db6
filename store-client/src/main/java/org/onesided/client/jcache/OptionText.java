package org.onesided.client.jcache;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.cache.CacheException;

/**
 * Reads the values of options. A value that is none is a {@link CacheException} that names the option.
 */
final class OptionText
{
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
        "ms", Duration.ofMillis(1), "s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1),
        "d", Duration.ofDays(1));

    private OptionText()
    {
    }

    /** Reads a time such as {@code 250ms}, {@code 10m} or {@code PT10M}; not negative. */
    static Duration time(final String option, final String value)
    {
        final Matcher matcher = TIME.matcher(value);
        if (matcher.matches())
        {
            return UNITS.get(matcher.group(2)).multipliedBy(Long.parseLong(matcher.group(1)));
        }
        try
        {
            final Duration time = Duration.parse(value);
            if (!time.isNegative())
            {
                return time;
            }
        }
        catch (final DateTimeParseException e)
        {
            // The exception below says what is right.
        }
        throw refused(option, value, "a time such as 250ms, 30s, 10m, 2h, 1d or PT10M");
    }

    /** Reads a number from 1 on. */
    static int count(final String option, final String value)
    {
        try
        {
            final int count = Integer.parseInt(value);
            if (count > 0)
            {
                return count;
            }
        }
        catch (final NumberFormatException e)
        {
            // The exception below says what is right.
        }
        throw refused(option, value, "a number from 1 on");
    }

    /** Reads {@code true} or {@code false}. */
    static boolean flag(final String option, final String value)
    {
        return switch (value)
        {
            case "true" -> true;
            case "false" -> false;
            default -> throw refused(option, value, "true or false");
        };
    }

    private static CacheException refused(final String option, final String value, final String right)
    {
        return new CacheException("option must be " + right + ": " + option + "=" + value);
    }
}
