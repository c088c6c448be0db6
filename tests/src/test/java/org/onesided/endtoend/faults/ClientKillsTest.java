package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class ClientKillsTest
{
    /** On each device, once it is known what the server has: 50 and more on both together. */
    private static final int CLIENTS = 25;

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldHaveWhatItHadAfterClientsWereKilledInEveryPhase(final String device) throws Exception
    {
        assertTrue(ClientKills.run(CLIENTS, device, false) >= CLIENTS);
    }
}
