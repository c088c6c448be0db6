package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.testing.TestSize;

/**
 * A cluster is linearizable while its members are killed and stopped: what {@code tests/run linearizability --cluster}
 * does for longer.
 */
@Timeout(2000)
class ClusterTest
{
    private static final int MEMBERS = 3;

    private final long seed = System.nanoTime() & 0xFFFF_FFFFL;

    /** A full check has {@link #shouldBeLinearizableWhileMuchHarmIsDone}, so that this one is as small there. */
    @Test
    void shouldBeLinearizableWhileMembersAreKilledAndStopped() throws IOException
    {
        run(new ClusterRun.Settings("shm", MEMBERS, 2, 1_000, 500, seed, 2, 2));
    }

    /** Each partition is on three of four members, and replicas go to others and come back. */
    @Test
    void shouldBeLinearizableWhileReplicasMove() throws IOException
    {
        run(new ClusterRun.Settings(
            "tcp", MEMBERS + 1, TestSize.of(10, 2), TestSize.of(Nemesis.MOST_PAUSE_MS, 1_500), 500, seed, 2, 2));
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldBeLinearizableWhileMuchHarmIsDone(final String device) throws IOException
    {
        run(new ClusterRun.Settings(device, MEMBERS, 8, Nemesis.MOST_PAUSE_MS, 500, seed, 4, 2));
    }

    private static void run(final ClusterRun.Settings settings) throws IOException
    {
        final ClusterRun.Result result = ClusterRun.of(settings);
        System.out.println(result.text());
        assertTrue(result.isGood(), result::text);
    }
}
