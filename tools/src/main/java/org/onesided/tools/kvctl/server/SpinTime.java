package org.onesided.tools.kvctl.server;

import org.onesided.tools.settings.TimeSpan;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads how long to spin, in nanoseconds: a time, {@code never} or {@code always}.
 */
final class SpinTime implements ITypeConverter<Long>
{
    private static final String NEVER = "never";
    private static final String ALWAYS = "always";

    @Override
    public Long convert(final String text)
    {
        if (text.equals(NEVER))
        {
            return 0L;
        }
        if (text.equals(ALWAYS))
        {
            return Long.MAX_VALUE;
        }
        try
        {
            return new TimeSpan().convert(text).toNanos();
        }
        catch (final TypeConversionException e)
        {
            throw new TypeConversionException(e.getMessage() + ", or " + NEVER + " or " + ALWAYS);
        }
    }
}
