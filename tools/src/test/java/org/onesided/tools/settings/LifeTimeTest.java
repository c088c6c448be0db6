package org.onesided.tools.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class LifeTimeTest
{
    @ParameterizedTest
    @CsvSource({
        "1ms,PT0.001S", "500ms,PT0.5S", "5s,PT5S", "10m,PT10M", "48h,PT48H", "36525d,P36525D", "1h30m,PT1H30M",
        "1d2h3m4s5ms,P1DT2H3M4.005S", "9m59s,PT9M59S"
    })
    void shouldReadTimes(final String text, final Duration duration)
    {
        assertEquals(duration, new LifeTime().convert(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "5", "s", "-5s", "0s", "1.5s", "5 s", "50us", "5w", "30m1h", "1s1s", "36526d", "999999999d", "9999999999s",
        "٣s", "never"
    })
    void shouldRefuseWhatIsNoTime(final String text)
    {
        assertThrows(TypeConversionException.class, () -> new LifeTime().convert(text));
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S,0ms", "PT0.25S,250ms", "PT4.998S,4s998ms", "PT5S,5s", "PT9M59.9S,9m59s", "PT10M,10m", "PT1H0M59S,1h",
        "P30DT23H59M,30d23h", "P36525D,36525d"
    })
    void shouldWriteTwoUnits(final Duration duration, final String text)
    {
        assertEquals(text, LifeTime.text(duration));
    }
}
