package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A store with a log is linearizable across kills of its server: what {@code tests/run linearizability --kills} does
 * for longer.
 */
@Timeout(4000)
class KillTest
{
    private final long seed = System.nanoTime() & 0xFFFF_FFFFL;

    /** A full check has {@link #shouldBeLinearizableAcrossManyKills}, so that this one is as small there. */
    @Test
    void shouldBeLinearizableAcrossKills() throws IOException
    {
        run(new KillSettings("tcp", "interval", 2, seed, 2, 2));
    }

    @Test
    void shouldBeLinearizableAcrossAKillOfAServerThatEvicts() throws IOException
    {
        run(new KillSettings("shm", "always", 1, seed, 2, 2).evicting());
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"shm,always", "shm,interval", "tcp,always", "tcp,interval"})
    void shouldBeLinearizableAcrossManyKills(final String device, final String sync) throws IOException
    {
        run(new KillSettings(device, sync, 5, seed, 8, 1));
    }

    private static void run(final KillSettings settings) throws IOException
    {
        final KillResult result = KillRun.of(settings);
        System.out.println(result.text());
        assertTrue(result.isGood(), result::text);
    }
}
