package org.onesided.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.onesided.waiting.LostWakeUps;

/**
 * Fails each class of tests, of any module, in which threads of this process slept until their cap though there was
 * work for them. One is let pass, and said: it may be a thread that the machine took from its core just before it woke
 * the other. JUnit finds this extension by itself. The servers that tests start as processes log a warning instead,
 * which whoever starts them counts.
 */
public final class NoLostWakeUps implements AfterAllCallback
{
    /** So many may be none. */
    public static final int MAX_DOUBTFUL = 1;

    /** Of those that were lost, so many are done with. */
    private static long known;

    /** JUnit makes one. */
    public NoLostWakeUps()
    {
    }

    /**
     * Forgives wake-ups that a test will lose on purpose, to see that they are counted.
     *
     * @param count of them.
     */
    public static synchronized void pardon(final long count)
    {
        known += count;
    }

    @Override
    public void afterAll(final ExtensionContext context)
    {
        final long lost = takeLost();
        final String tests = context.getRequiredTestClass().getSimpleName();
        if (lost > 0)
        {
            System.err.println("wake-ups were lost: count=" + lost + " tests=" + tests);
        }
        assertTrue(lost <= MAX_DOUBTFUL, "wake-ups were lost, see LostWakeUps: count=" + lost + " tests=" + tests);
    }

    private static synchronized long takeLost()
    {
        // Fewer than known if another class of tests is about to lose some on purpose.
        final long lost = Math.max(0, LostWakeUps.total() - known);
        known += lost;
        return lost;
    }
}
