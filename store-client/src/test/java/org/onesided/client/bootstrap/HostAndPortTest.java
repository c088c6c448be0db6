package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreConnectException;

class HostAndPortTest
{
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:4711, 127.0.0.1, 4711",
        "store.example.org, store.example.org, 19875",
        "store.example.org:65535, store.example.org, 65535",
        "[::1]:4711, ::1, 4711",
        "[::1], ::1, 19875",
        "::1, ::1, 19875",
        "fe80::1%eth0, fe80::1%eth0, 19875",
    })
    void shouldReadHostAndPort(final String text, final String host, final int port)
    {
        assertEquals(new HostAndPort(host, port), HostAndPort.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", ":1", "host:", "host:0", "host:65536", "host:99999999999999", "host:-1", "host:1x", "[::1", "[::1]4711",
        "[]:1", " host:1", "host:١", "::1:19875", "a:b:c", "[a:b]:1"})
    void shouldRejectWhatIsNoAddress(final String text)
    {
        final IllegalArgumentException thrown =
            assertThrows(IllegalArgumentException.class, () -> HostAndPort.parse(text));
        assertTrue(thrown.getMessage().endsWith("server=" + text), thrown.getMessage());
    }

    @Test
    void shouldKnowThisHost() throws Exception
    {
        for (final String host : List.of("localhost", "127.0.0.9", "0.0.0.0", "::1"))
        {
            assertTrue(new HostAndPort(host, 1).isThisHost(), host);
        }
        // Of the net for documentation.
        assertFalse(new HostAndPort("192.0.2.7", 1).isThisHost());
    }

    @Test
    void shouldNotTakeAHostThatNobodyKnowsForThisOne()
    {
        assertThrows(UnknownHostException.class, () -> new HostAndPort("no such host", 1).isThisHost());
        final StoreConnectException thrown = assertThrows(StoreConnectException.class, () ->
            StoreClient.builder().server("no_such_host..invalid:1").device("auto").build());
        assertTrue(thrown.getMessage().contains("no such host: host=no_such_host..invalid"), thrown.getMessage());
    }

    @Test
    void shouldPrintWhatItReads()
    {
        assertEquals("[::1]:4711", HostAndPort.parse("[::1]:4711").toString());
        assertEquals("host:19875", HostAndPort.parse("host").toString());
    }
}
