package org.onesided.application;

import java.util.concurrent.CountDownLatch;

/**
 * A callback as an application has it, outside of the library's packages.
 */
public final class Blocking
{
    private Blocking()
    {
    }

    /**
     * Keeps its thread.
     *
     * @param end of it.
     */
    public static void keepTheThread(final CountDownLatch end)
    {
        try
        {
            end.await();
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
