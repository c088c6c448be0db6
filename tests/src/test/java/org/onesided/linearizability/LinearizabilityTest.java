package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The store is linearizable: a little of what {@code tests/linearizability} does for longer and on other devices.
 */
@Timeout(1000)
class LinearizabilityTest
{
    private static final long OPERATIONS = 100_000;

    @Test
    void shouldBeLinearizable() throws IOException
    {
        final RunResult result = Run.of(RunSettings.of("shm", OPERATIONS, System.nanoTime() & 0xFFFF_FFFFL));
        System.out.println(result.text());
        assertTrue(result.isGood(), result::text);
    }
}
