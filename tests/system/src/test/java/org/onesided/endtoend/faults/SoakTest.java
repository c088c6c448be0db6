package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.testing.TestSize;

@Timeout(600)
class SoakTest
{
    private static final int SECONDS = TestSize.of(60, 5);

    @Test
    void shouldHaveWhatItHadHoweverManyClientsCameAndWent() throws Exception
    {
        final Soak.Outcome outcome = Soak.run(SECONDS, "shm");
        System.out.println("soak: " + outcome);
        assertTrue(outcome.isFlat(), outcome::toString);
    }
}
