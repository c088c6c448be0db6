package org.onesided.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.onesided.waiting.LostWakeUps;

/**
 * Fails each class of tests in which a thread of this process slept until its cap though there was work for it. JUnit
 * finds this extension by itself. The servers that tests start as processes log an error instead.
 */
public final class NoLostWakeUps implements AfterAllCallback
{
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
        assertEquals(0, lost, "wake-ups were lost, see LostWakeUps");
    }
}
