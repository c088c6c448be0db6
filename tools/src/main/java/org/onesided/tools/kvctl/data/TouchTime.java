package org.onesided.tools.kvctl.data;

import java.time.Duration;
import org.onesided.tools.settings.LifeTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the time of {@code kvctl touch}: there, another command takes the time away.
 */
final class TouchTime implements ITypeConverter<Duration>
{
    @Override
    public Duration convert(final String text)
    {
        if (LifeTime.NEVER.equals(text))
        {
            throw new TypeConversionException(
                "kvctl persist lets a key stay for ever, kvctl touch does not: '" + text + "'");
        }
        return new LifeTime().convert(text);
    }
}
