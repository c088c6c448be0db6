package org.onesided.tools.kvctl;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Says on a terminal what is waited for, once that takes more than a second, and takes it away in the end. Elsewhere it
 * does nothing.
 */
final class WaitNotice implements AutoCloseable
{
    static final long FIRST_MS = 1_000;
    private static final long NEXT_MS = 250;
    private static final String ERASE_LINE = "\r\u001B[K";

    private final PrintStream err;
    private final String what;
    private final long firstMs;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    /**
     * @param err        standard error.
     * @param isTerminal whether to show anything.
     * @param what       is waited for.
     * @param firstMs    until it is shown, in milliseconds.
     */
    WaitNotice(final PrintStream err, final boolean isTerminal, final String what, final long firstMs)
    {
        this.err = err;
        this.what = what;
        this.firstMs = firstMs;
        thread = isTerminal ? new Thread(this::show, "kvctl-notice") : null;
        if (thread != null)
        {
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Ends it; nothing is printed after this. */
    @Override
    public void close()
    {
        over.countDown();
        if (thread == null)
        {
            return;
        }
        boolean isInterrupted = false;
        while (thread.isAlive())
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void show()
    {
        final long startNs = System.nanoTime();
        try
        {
            if (over.await(firstMs, TimeUnit.MILLISECONDS))
            {
                return;
            }
            do
            {
                err.print(ERASE_LINE + what + ", " + (System.nanoTime() - startNs) / 1_000_000_000 + " s");
                err.flush();
            }
            while (!over.await(NEXT_MS, TimeUnit.MILLISECONDS));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        err.print(ERASE_LINE);
        err.flush();
    }
}
