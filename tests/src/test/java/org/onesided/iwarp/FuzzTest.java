package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A little of what {@code tests/fuzz} does for longer, with another seed each day.
 */
@Timeout(300)
class FuzzTest
{
    private static final long SECONDS = 8;

    @Test
    void shouldDoWithChangedFramesWhatTheRfcsSay() throws Exception
    {
        final long seed = TimeUnit.MILLISECONDS.toDays(System.currentTimeMillis());
        final String done = FuzzMain.run(Long.MAX_VALUE, SECONDS, seed, 0, false);
        System.out.println("fuzz: " + done);
        assertTrue(done.matches("seed=" + seed + " frames=[1-9].*"), done);
    }
}
