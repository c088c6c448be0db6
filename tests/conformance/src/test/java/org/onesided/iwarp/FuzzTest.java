package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.testing.TestSize;

/**
 * A little of what {@code tests/run fuzz} does for longer, always with the same seed, so that a finding is found again.
 */
@Timeout(300)
class FuzzTest
{
    private static final long SEED = 42;
    private static final int SECONDS = TestSize.of(8, 3);

    @Test
    void shouldDoWithChangedFramesWhatTheRfcsSay() throws Exception
    {
        final String done = FuzzMain.run(Long.MAX_VALUE, SECONDS, SEED, 0, false);
        System.out.println("fuzz: " + done);
        assertTrue(done.matches("seed=" + SEED + " frames=[1-9].*"), done);
    }
}
