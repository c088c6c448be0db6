package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.testing.TestSize;

@Timeout(600)
class RestartTest
{
    private static final int RESTARTS = 2;

    static Stream<String> devices()
    {
        return TestSize.devices("shm", "tcp");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldKnowTheFateOfEachWriteWhenTheServerIsStartedAnew(final String device) throws Exception
    {
        final Restarts.Outcome outcome = Restarts.run(RESTARTS, device);
        System.out.println("restarts over " + device + ": " + outcome);
        assertTrue(outcome.unknown() > 0, "nothing was in flight: " + outcome);
        assertTrue(outcome.unapplied() > 0, "nobody gave up waiting: " + outcome);
    }
}
