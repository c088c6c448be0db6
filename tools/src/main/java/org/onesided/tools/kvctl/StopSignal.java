package org.onesided.tools.kvctl;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in its own time, and with its own exit code, when the process is told to stop (SIGTERM, SIGINT,
 * SIGHUP). Java runs shutdown hooks then and exits with the signal's code; the hook here waits for the command and ends
 * the process itself.
 */
final class StopSignal implements AutoCloseable
{
    private static final long LONGEST_STOP_S = 30;

    private final CountDownLatch told = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "kvctl-stop");
    private volatile ExitCode exitCode = ExitCode.FAILED;

    private StopSignal()
    {
    }

    static StopSignal install()
    {
        final StopSignal signal = new StopSignal();
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    /** Waits until the process is told to stop. */
    void await() throws InterruptedException
    {
        told.await();
    }

    /**
     * Waits until the process is told to stop, or for a time.
     *
     * @return whether it was told.
     */
    boolean await(final long nanos) throws InterruptedException
    {
        return told.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Ends the wait without a signal. Safe to call from any thread. */
    void tell()
    {
        told.countDown();
    }

    /**
     * @param code for the shell, if the process was told to stop.
     */
    void exitCode(final ExitCode code)
    {
        exitCode = code;
    }

    /** Says that all is closed. */
    @Override
    public void close()
    {
        done.countDown();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException e)
        {
            // The process is ending, and the hook ends it.
            return;
        }
    }

    private void stop()
    {
        told.countDown();
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
        System.err.flush();
        Runtime.getRuntime().halt(exitCode.code());
    }
}
