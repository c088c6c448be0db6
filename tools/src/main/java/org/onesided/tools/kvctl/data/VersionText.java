package org.onesided.tools.kvctl.data;

import org.onesided.client.types.Version;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the version that an option expects.
 */
final class VersionText implements ITypeConverter<Version>
{
    /** The name of the option. */
    static final String OPTION = "--if-version";

    @Override
    public Version convert(final String text)
    {
        try
        {
            return Version.parse(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new TypeConversionException(
                "not a version: '" + text + "'; take one from kvctl get --show-version");
        }
    }
}
