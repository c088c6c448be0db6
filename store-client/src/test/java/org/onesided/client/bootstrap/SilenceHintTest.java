package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SilenceHintTest
{
    @Test
    void shouldGiveAHintOnceForManyClients()
    {
        assertTrue(SilenceHint.tryClaim("one server says nothing"));
        assertFalse(SilenceHint.tryClaim("one server says nothing"));
        assertTrue(SilenceHint.tryClaim("another server says nothing"));
    }
}
