package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A short run; {@code tests/soak} takes longer.
 */
@Timeout(300)
class SoakTest
{
    private static final int SECONDS = 10;

    @Test
    void shouldStayFlatWhileClientsComeAndGo() throws Exception
    {
        final Soak.Outcome outcome = Soak.run(SECONDS, "shm");
        System.out.println("soak: " + outcome);
        assertTrue(outcome.connections() > 0, outcome::toString);
        assertTrue(outcome.isFlat(), outcome::toString);
    }
}
