package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.testing.TestSize;

@Timeout(600)
class ClientKillsTest
{
    /** On each device, once it is known what the server has: 50 and more on both together in a full check. */
    private static final int CLIENTS = TestSize.of(25, 5);

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldHaveWhatItHadAfterClientsWereKilledInEveryPhase(final String device) throws Exception
    {
        assertTrue(ClientKills.run(CLIENTS, device, false) >= CLIENTS);
    }
}
