package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class RestartTest
{
    private static final int RESTARTS = 2;

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldKnowTheFateOfEachWriteWhenTheServerIsStartedAnew(final String device) throws Exception
    {
        final Restarts.Outcome outcome = Restarts.run(RESTARTS, device);
        System.out.println("restarts over " + device + ": " + outcome);
        assertTrue(outcome.unknown() > 0, "nothing was in flight: " + outcome);
        assertTrue(outcome.unapplied() > 0, "nobody gave up waiting: " + outcome);
    }
}
