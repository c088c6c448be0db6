package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ClientKillsTest
{
    private static final int CLIENTS = 20;

    @Test
    void shouldHaveWhatItHadAfterClientsWereKilledInEveryPhase() throws Exception
    {
        assertTrue(ClientKills.run(CLIENTS, false) >= CLIENTS);
    }
}
