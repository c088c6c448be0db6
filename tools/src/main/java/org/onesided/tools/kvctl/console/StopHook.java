package org.onesided.tools.kvctl.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What happens to a command when the process is told to stop (SIGTERM, SIGINT, SIGHUP). Java runs shutdown hooks then,
 * and exits with the signal's code unless a hook ends the process before.
 */
public final class StopHook implements AutoCloseable
{
    private final Kind kind;
    private final Runnable onStop;
    private final CountDownLatch told = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "kvctl-stop");
    private volatile ExitCode exitCode = ExitCode.FAILED;

    /** What the hook waits for, and who chooses the exit code. */
    private enum Kind
    {
        /** The command is not waited for: it may wait for input that does not come. */
        TELLING(0),
        /** The command has some time to close what it has open. The signal chooses the exit code. */
        INTERRUPTING(10),
        /** The command ends in its own time, and with an exit code of its own. */
        ENDING(30);

        private final long longestStopS;

        Kind(final long longestStopS)
        {
            this.longestStopS = longestStopS;
        }
    }

    private StopHook(final Kind kind, final Runnable onStop)
    {
        this.kind = kind;
        this.onStop = onStop;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Does no more than run a task, in a thread of its own.
     *
     * @param task to run.
     * @return the hook; the caller closes it.
     */
    public static StopHook telling(final Runnable task)
    {
        return new StopHook(Kind.TELLING, task);
    }

    /**
     * Interrupts the calling thread.
     *
     * @return the hook; the caller closes it.
     */
    public static StopHook interrupting()
    {
        return new StopHook(Kind.INTERRUPTING, Thread.currentThread()::interrupt);
    }

    /**
     * Ends the {@link #await()} of the command.
     *
     * @return the hook; the caller closes it.
     */
    public static StopHook ending()
    {
        return new StopHook(Kind.ENDING, () -> { });
    }

    /**
     * Waits until the process is told to stop.
     *
     * @throws InterruptedException if the caller is interrupted.
     */
    public void await() throws InterruptedException
    {
        told.await();
    }

    /**
     * Waits until the process is told to stop, or for a time.
     *
     * @param nanos longest time to wait.
     * @return whether it was told.
     * @throws InterruptedException if the caller is interrupted.
     */
    public boolean await(final long nanos) throws InterruptedException
    {
        return told.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Ends the wait without a signal. Safe to call from any thread. */
    public void tell()
    {
        told.countDown();
    }

    /**
     * Sets the exit code.
     *
     * @param code for the shell, if the process was told to stop while the command chooses it.
     */
    public void exitCode(final ExitCode code)
    {
        exitCode = code;
    }

    /**
     * Says that all is closed. In a process that is ending it does not return to an interrupted command, whose exit
     * code could overtake the signal's.
     */
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
            awaitEnd();
        }
    }

    private void awaitEnd()
    {
        while (kind == Kind.INTERRUPTING)
        {
            // An interrupted thread does not park.
            Thread.interrupted();
            LockSupport.park();
        }
    }

    private void stop()
    {
        told.countDown();
        onStop.run();
        if (kind == Kind.TELLING)
        {
            return;
        }
        try
        {
            if (!done.await(kind.longestStopS, TimeUnit.SECONDS))
            {
                System.err.println("kvctl: could not close everything within " + kind.longestStopS + " s");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        if (kind == Kind.ENDING)
        {
            System.err.flush();
            Runtime.getRuntime().halt(exitCode.code());
        }
    }
}
