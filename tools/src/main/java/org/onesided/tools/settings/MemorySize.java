package org.onesided.tools.settings;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads sizes such as {@code 512MiB}, {@code 1g} and {@code 1.5 GiB}.
 */
public final class MemorySize implements ITypeConverter<Long>
{
    private static final Pattern FORM = Pattern.compile("(\\d{1,19}(?:\\.\\d{1,9})?) ?([a-z]*)");
    private static final Map<String, Long> UNITS = Map.ofEntries(
        Map.entry("", 1L),
        Map.entry("b", 1L),
        Map.entry("k", 1L << 10),
        Map.entry("kib", 1L << 10),
        Map.entry("kb", 1_000L),
        Map.entry("m", 1L << 20),
        Map.entry("mib", 1L << 20),
        Map.entry("mb", 1_000_000L),
        Map.entry("g", 1L << 30),
        Map.entry("gib", 1L << 30),
        Map.entry("gb", 1_000_000_000L),
        Map.entry("t", 1L << 40),
        Map.entry("tib", 1L << 40),
        Map.entry("tb", 1_000_000_000_000L));
    private static final List<String> SUFFIXES = List.of("", "KiB", "MiB", "GiB", "TiB");

    @Override
    public Long convert(final String text)
    {
        final Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        final Long unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
        if (unit == null)
        {
            throw new TypeConversionException("not a size: '" + text + "'; write one like 512MiB or 2g");
        }
        // No constant: each start of kvctl loads this class, and Java takes 20 ms over the constants of BigDecimal.
        final BigDecimal largest = BigDecimal.valueOf(Long.MAX_VALUE);
        final BigDecimal size = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
        if (size.compareTo(largest) > 0 || size.compareTo(BigDecimal.ONE) < 0)
        {
            throw new TypeConversionException("the size is out of range: '" + text + "'");
        }
        return size.longValue();
    }

    /**
     * Writes a size as this class reads it, in the largest unit that it is a multiple of.
     *
     * @param bytes from 1.
     * @return such as {@code 512MiB}.
     */
    public static String text(final long bytes)
    {
        final int unit = Math.min(SUFFIXES.size() - 1, Long.numberOfTrailingZeros(bytes) / 10);
        return (bytes >> 10 * unit) + SUFFIXES.get(unit);
    }
}
