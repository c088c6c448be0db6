package org.onesided.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.Bootstrap;

class ClientConnectionTest
{
    @Test
    void shouldLetNobodyWriteLinesOfTheLogOrTalkToTerminals()
    {
        assertEquals("no such device: a b [31m c 1m d e f",
            ClientConnection.line("no such device: a\nb\u001B[31m\u0085c\u009B1m\u2028d\u2029e\u007Ff"));
    }

    @Test
    void shouldBoundReasons()
    {
        final String longest = "x".repeat(Bootstrap.MAX_REASON_LENGTH / 4);
        assertEquals(longest, ClientConnection.line(longest + "y"));
        assertEquals("null", ClientConnection.line(null));
    }
}
