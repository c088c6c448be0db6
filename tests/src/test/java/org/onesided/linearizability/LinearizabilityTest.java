package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The store is linearizable, on each device. Another seed each time, which a failure shows.
 */
@Timeout(1000)
class LinearizabilityTest
{
    private static final long OPERATIONS = 2_000_000;
    private static final long OPERATIONS_IN_THE_VIRTUAL_MACHINE = 100_000;

    @ParameterizedTest
    @ValueSource(strings = {"shm"})
    void shouldBeLinearizable(final String device) throws IOException
    {
        check(device, OPERATIONS);
    }

    @Test
    @Tag("rdma")
    void shouldBeLinearizableOverRdma() throws IOException
    {
        check("ibv", OPERATIONS_IN_THE_VIRTUAL_MACHINE);
    }

    private static void check(final String device, final long operations) throws IOException
    {
        final RunResult result = Run.of(RunSettings.of(device, operations, System.nanoTime() & 0xFFFF_FFFFL));
        System.out.println(result.text());
        assertTrue(result.isGood(), result::text);
    }
}
