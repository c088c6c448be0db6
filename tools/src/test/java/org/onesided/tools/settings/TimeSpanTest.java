package org.onesided.tools.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class TimeSpanTest
{
    @ParameterizedTest
    @CsvSource({"100us,PT0.0001S", "500ms,PT0.5S", "5s,PT5S", "2m,PT2M", "1440m,PT24H"})
    void shouldReadTimes(final String text, final Duration duration)
    {
        assertEquals(duration, new TimeSpan().convert(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-5s", "0s", "1.5s", "5 s", "5h", "1441m", "9999999999s", "٣s"})
    void shouldRefuseWhatIsNoTime(final String text)
    {
        assertThrows(TypeConversionException.class, () -> new TimeSpan().convert(text));
    }
}
