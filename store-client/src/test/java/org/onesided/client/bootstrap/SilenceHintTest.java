package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SilenceHintTest
{
    @Test
    void shouldGiveAHintOnceForManyClients()
    {
        assertTrue(SilenceHint.mayGive("one server says nothing"));
        assertFalse(SilenceHint.mayGive("one server says nothing"));
        assertTrue(SilenceHint.mayGive("another server says nothing"));
    }
}
