package org.onesided.tools.kvctl;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Interrupts a command when the process is told to stop (SIGTERM, SIGINT, SIGHUP), and gives it time to close what it
 * has open. The process then exits with the signal's code, as Java does.
 */
final class StopRequest
{
    private static final long LONGEST_STOP_S = 10;

    private final Thread command = Thread.currentThread();
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "kvctl-stop");

    private StopRequest()
    {
    }

    /** For the command that the calling thread runs. */
    static StopRequest install()
    {
        final StopRequest request = new StopRequest();
        Runtime.getRuntime().addShutdownHook(request.hook);
        return request;
    }

    /**
     * Says that all is closed. Does not return if the process is ending: an exit code of the command's own could
     * overtake the signal's.
     */
    void close()
    {
        done.countDown();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException e)
        {
            awaitEnd();
        }
    }

    private static void awaitEnd()
    {
        while (true)
        {
            // An interrupted thread does not park.
            Thread.interrupted();
            LockSupport.park();
        }
    }

    private void stop()
    {
        command.interrupt();
        try
        {
            if (!done.await(LONGEST_STOP_S, TimeUnit.SECONDS))
            {
                System.err.println("kvctl: could not close everything within " + LONGEST_STOP_S + " s");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
