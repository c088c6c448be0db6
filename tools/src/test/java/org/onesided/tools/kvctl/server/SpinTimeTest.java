package org.onesided.tools.kvctl.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

class SpinTimeTest
{
    @ParameterizedTest
    @CsvSource({"never,0", "50us,50000", "1ms,1000000", "always,9223372036854775807"})
    void shouldReadTimesAndTheirEnds(final String text, final long ns)
    {
        assertEquals(ns, new SpinTime().convert(text));
    }

    @Test
    void shouldNameAllThatItTakes()
    {
        final TypeConversionException refused =
            assertThrows(TypeConversionException.class, () -> new SpinTime().convert("sometimes"));
        assertTrue(refused.getMessage().contains("never or always"), refused.getMessage());
    }
}
