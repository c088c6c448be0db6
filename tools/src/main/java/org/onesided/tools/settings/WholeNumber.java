package org.onesided.tools.settings;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads whole numbers within a range.
 *
 * @param least smallest number, from 0.
 * @param most  largest number.
 */
public record WholeNumber(int least, int most) implements ITypeConverter<Integer>
{
    @Override
    public Integer convert(final String text)
    {
        final long value = text.matches("[0-9]{1,10}") ? Long.parseLong(text) : -1;
        if (value < least || value > most)
        {
            throw new TypeConversionException(
                "must be a whole number from " + least + " to " + most + ": '" + text + "'");
        }
        return (int)value;
    }
}
