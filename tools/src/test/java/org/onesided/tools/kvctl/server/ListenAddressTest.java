package org.onesided.tools.kvctl.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ListenAddressTest
{
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:19875,127.0.0.1,19875", "localhost:0,localhost,0", "[::1]:1,::1,1", "0.0.0.0:65535,0.0.0.0,65535"})
    void shouldReadAddresses(final String text, final String host, final int port)
    {
        assertEquals(new ListenAddress(host, port), ListenAddress.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", ":", "localhost", "19875", ":19875", "localhost:", "localhost:port", "localhost:-1", "localhost:65536",
        "localhost:100000", "::1", "::1:19875", "[]:1", "[::1]", "localhost:٣"})
    void shouldRefuseWhatIsNoAddress(final String text)
    {
        assertThrows(TypeConversionException.class, () -> ListenAddress.parse(text));
    }
}
