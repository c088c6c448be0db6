package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.testing.TestSize;

@Timeout(600)
class ClientKillsTest
{
    /** Killed on a device once it is known what the server has; they come in rounds of {@link Phase}. */
    private static final int CLIENTS = TestSize.of(25, 1);

    @Test
    void shouldHaveWhatItHadAfterClientsWereKilledInEveryPhase() throws Exception
    {
        kill("shm");
    }

    @Tag("full")
    @Test
    void shouldHaveWhatItHadAfterClientsOverTcpWereKilledInEveryPhase() throws Exception
    {
        kill("tcp");
    }

    private static void kill(final String device) throws Exception
    {
        assertTrue(ClientKills.run(CLIENTS, device, false) >= CLIENTS);
    }
}
