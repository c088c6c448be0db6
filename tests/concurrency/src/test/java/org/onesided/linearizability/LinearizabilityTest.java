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
 * The store is linearizable on each device: what {@code tests/run linearizability} does for longer.
 */
@Timeout(4000)
class LinearizabilityTest
{
    private static final long OPERATIONS =
        Long.getLong("onesided.linearizability.operations", TestSize.of(2_000_000, 12_000));
    /** In the virtual machine, where they are slow. */
    private static final long RDMA_OPERATIONS =
        Long.getLong("onesided.linearizability.rdma", TestSize.of(100_000, 2_000));
    /** Whose histories its memory has room for. */
    private static final long RDMA_ROUND = 1_000_000;

    private final long seed = System.nanoTime() & 0xFFFF_FFFFL;

    /**
     * @param device to be used, SEED standing for a number. The faults that go by lines are in a quarter of the READs,
     *               since such take ten times as long.
     */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "chaos:SEED/split=4:shm"})
    void shouldBeLinearizable(final String device) throws IOException
    {
        run(device, OPERATIONS, seed);
    }

    @Tag("rdma")
    @Test
    void shouldBeLinearizableOnRdmaDevices() throws IOException
    {
        for (long done = 0; done < RDMA_OPERATIONS; done += RDMA_ROUND)
        {
            run("ibv", Math.min(RDMA_ROUND, RDMA_OPERATIONS - done), seed + done);
        }
    }

    private static void run(final String device, final long operations, final long seed) throws IOException
    {
        final String seeded = device.replace("SEED", Long.toString(seed));
        final RunResult result = Run.of(RunSettings.of(seeded, operations, seed));
        System.out.println(result.text());
        assertTrue(result.isGood(), result::text);
    }
}
