package org.onesided.tools.settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.onesided.client.types.Expiry;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads for how long a key is to live, such as {@code 500ms}, {@code 10m}, {@code 30d} and {@code 1h30m}. It reads what
 * {@link #text} writes, too.
 */
public final class LifeTime implements ITypeConverter<Duration>
{
    /** Stands for no time. */
    public static final String NEVER = "never";

    private static final Pattern FORM =
        Pattern.compile("(?=\\d)(?:\\d{1,9}d)?(?:\\d{1,9}h)?(?:\\d{1,9}m)?(?:\\d{1,9}s)?(?:\\d{1,9}ms)?");
    private static final Pattern PART = Pattern.compile("(\\d+)([a-z]+)");

    @Override
    public Duration convert(final String text)
    {
        return convert(text, "");
    }

    /**
     * Reads a time where the word {@code never} is allowed, too.
     *
     * @param text a time or that word.
     * @return the time; null for the word.
     */
    public static Duration orNever(final String text)
    {
        return NEVER.equals(text) ? null : convert(text, ", or " + NEVER);
    }

    private static Duration convert(final String text, final String alternative)
    {
        if (!FORM.matcher(text).matches())
        {
            throw new TypeConversionException(
                "not a time: '" + text + "'; write one like 500ms, 10m, 1h30m or 30d" + alternative);
        }
        Duration sum = Duration.ZERO;
        final Matcher part = PART.matcher(text);
        while (part.find())
        {
            sum = sum.plus(Long.parseLong(part.group(1)), TimeSpan.UNITS.get(part.group(2)));
        }
        if (sum.compareTo(Expiry.LEAST_TTL) < 0 || sum.compareTo(Expiry.MAX_TTL) > 0)
        {
            throw new TypeConversionException(
                "the time is out of range, 1ms to " + Expiry.MAX_TTL.toDays() + "d" + alternative + ": '" + text + "'");
        }
        return sum;
    }

    /**
     * Writes a time by its greatest unit and the next one, and leaves the rest out.
     *
     * @param time 0 or more.
     * @return such as {@code 9m59s}, {@code 30d} or {@code 250ms}.
     */
    public static String text(final Duration time)
    {
        final long days = time.toDays();
        final long hours = time.toHoursPart();
        final long minutes = time.toMinutesPart();
        final long seconds = time.toSecondsPart();
        return days > 0 ? text(days, "d", hours, "h") :
            hours > 0 ? text(hours, "h", minutes, "m") :
            minutes > 0 ? text(minutes, "m", seconds, "s") :
            seconds > 0 ? text(seconds, "s", time.toMillisPart(), "ms") :
            time.toMillisPart() + "ms";
    }

    private static String text(final long count, final String unit, final long rest, final String restUnit)
    {
        return count + unit + (rest == 0 ? "" : rest + restUnit);
    }
}
