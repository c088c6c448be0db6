package org.onesided.tools.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountsTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0|0 bytes", "1|1 byte", "1023|1,023 bytes", "1024|1 KiB", "1536|1.50 KiB", "10752|10.5 KiB",
        "268435456|256 MiB", "1073741824|1 GiB", "1627389952|1.52 GiB", "9223372036854775807|8 EiB"})
    void shouldShowSizesInTheLargestUnit(final long bytes, final String text)
    {
        assertEquals(text, Amounts.size(bytes));
    }

    @Test
    void shouldCountThings()
    {
        assertEquals("0 pairs", Amounts.count(0, "pair"));
        assertEquals("1 pair", Amounts.count(1, "pair"));
        assertEquals("1,234,567 pairs", Amounts.count(1_234_567, "pair"));
    }
}
