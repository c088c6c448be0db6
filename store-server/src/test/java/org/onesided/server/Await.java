package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.BooleanSupplier;

/**
 * Waits for what a server does by itself.
 */
final class Await
{
    private Await()
    {
    }

    /** Until the condition holds, or fails when that takes too long. */
    static void until(final String what, final BooleanSupplier condition)
    {
        final long endNs = TestBootstrap.deadline();
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - endNs < 0, "waited in vain: " + what);
            Thread.yield();
        }
    }
}
