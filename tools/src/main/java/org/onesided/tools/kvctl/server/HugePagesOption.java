package org.onesided.tools.kvctl.server;

import org.onesided.verbs.HugePages;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads {@code auto}, {@code on} and {@code off}.
 */
final class HugePagesOption implements ITypeConverter<HugePages>
{
    @Override
    public HugePages convert(final String text)
    {
        try
        {
            return HugePages.of(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new TypeConversionException("must be auto, on or off: '" + text + "'");
        }
    }
}
