package org.onesided.tools.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class MemorySizeTest
{
    @ParameterizedTest
    @CsvSource({
        "1,1", "4096,4096", "10b,10", "64k,65536", "64KiB,65536", "512MiB,536870912", "512m,536870912",
        "1g,1073741824", "1G,1073741824", "1 GiB,1073741824", "1.5g,1610612736", "1GB,1000000000", "2t,2199023255552",
        "9223372036854775807,9223372036854775807"})
    void shouldReadSizes(final String text, final long bytes)
    {
        assertEquals(bytes, new MemorySize().convert(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", " ", "g", "-1", "-1g", "0", "0g", "1gg", "1 g b", "1.", ".5g", "1,5g", "1e9", "0x10", "٣g",
        "9223372036854775808", "8388608t", "99999999999999999999"})
    void shouldRefuseWhatIsNoSize(final String text)
    {
        assertThrows(TypeConversionException.class, () -> new MemorySize().convert(text));
    }
}
