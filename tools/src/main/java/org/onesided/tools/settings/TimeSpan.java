package org.onesided.tools.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads times such as {@code 500ms}, {@code 5s} and {@code 2m}.
 */
public final class TimeSpan implements ITypeConverter<Duration>
{
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(us|ms|s|m)");
    /** All units, of which each reader takes some. */
    static final Map<String, ChronoUnit> UNITS = Map.of(
        "us", ChronoUnit.MICROS,
        "ms", ChronoUnit.MILLIS,
        "s", ChronoUnit.SECONDS,
        "m", ChronoUnit.MINUTES,
        "h", ChronoUnit.HOURS,
        "d", ChronoUnit.DAYS);
    private static final Duration LONGEST = Duration.ofDays(1);

    @Override
    public Duration convert(final String text)
    {
        final Matcher matcher = FORM.matcher(text);
        if (!matcher.matches())
        {
            throw new TypeConversionException("not a time: '" + text + "'; write one like 50us, 500ms, 5s or 2m");
        }
        final Duration duration = Duration.of(Long.parseLong(matcher.group(1)), UNITS.get(matcher.group(2)));
        if (duration.isZero() || duration.compareTo(LONGEST) > 0)
        {
            throw new TypeConversionException("the time is out of range, 1us to 1440m: '" + text + "'");
        }
        return duration;
    }

    /**
     * Writes a time as this class reads it.
     *
     * @param time a whole number of microseconds.
     * @return such as {@code 50us} or {@code 5s}.
     */
    public static String text(final Duration time)
    {
        final long us = TimeUnit.NANOSECONDS.toMicros(time.toNanos());
        return us % 1_000_000 == 0 ? us / 1_000_000 + "s" : us % 1_000 == 0 ? us / 1_000 + "ms" : us + "us";
    }
}
