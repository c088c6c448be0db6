package org.onesided.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.onesided.waiting.LostWakeUps;

/**
 * Fails each class of tests in which threads of this process slept until their cap though there was work for them. One
 * is let pass: it may be a thread that the machine took from its core just before it woke the other. JUnit finds this
 * extension by itself. The servers that tests start as processes log a warning instead, which {@link ServerProcess}
 * counts.
 */
public final class NoLostWakeUps implements AfterAllCallback
{
    /** So many may be none. */
    public static final int MAX_DOUBTFUL = 1;

    private static long before;

    /** JUnit makes one. */
    public NoLostWakeUps()
    {
    }

    @Override
    public void afterAll(final ExtensionContext context)
    {
        final long lost = LostWakeUps.total() - before;
        before = LostWakeUps.total();
        assertTrue(lost <= MAX_DOUBTFUL, "wake-ups were lost, see LostWakeUps: " + lost);
    }
}
