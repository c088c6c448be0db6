package org.onesided.tools.kvctl.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.onesided.waiting.Interruptible;

/**
 * Reacts when the process is told to stop (SIGTERM, SIGINT, SIGHUP). Java then runs shutdown hooks and exits with the
 * signal's code, unless a hook ends the process first.
 */
public final class StopHook implements AutoCloseable
{
    private final Kind kind;
    private final Runnable onStop;
    private volatile CountDownLatch told = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "kvctl-stop");
    private volatile ExitCode exitCode = ExitCode.FAILED;
    private volatile boolean isSignalled;

    /** What the hook waits for, and where the exit code comes from. */
    private enum Kind
    {
        /** Does not wait for the command, which may wait for input that never comes. */
        TELLING(0),
        /** Gives the command some time to close its resources. The signal sets the exit code. */
        INTERRUPTING(10),
        /** Lets the command end in its own time, with its own exit code. */
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
     * A hook that only runs a task, in its own thread.
     *
     * @param task to run.
     * @return the hook; the caller closes it.
     */
    public static StopHook telling(final Runnable task)
    {
        return new StopHook(Kind.TELLING, task);
    }

    /**
     * A hook that interrupts the calling thread.
     *
     * @return the hook; the caller closes it.
     */
    public static StopHook interrupting()
    {
        return new StopHook(Kind.INTERRUPTING, Thread.currentThread()::interrupt);
    }

    /**
     * A hook that ends the {@link #await()} of the command.
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
     * @return whether the process was told to stop.
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
     * Waits can begin again after {@link #tell}, unless the process was told to stop.
     *
     * @return whether they can.
     */
    public boolean tryAwaitAgain()
    {
        told = new CountDownLatch(1);
        if (isSignalled)
        {
            told.countDown();
        }
        return !isSignalled;
    }

    /**
     * Sets the exit code.
     *
     * @param code for the shell, if the process was told to stop and the command sets the exit code.
     */
    public void exitCode(final ExitCode code)
    {
        exitCode = code;
    }

    /**
     * Reports that everything is closed. In an ending process this does not return to an interrupted command, whose
     * exit code could overtake the signal's.
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
            // An interrupted thread cannot park.
            Thread.interrupted();
            LockSupport.park();
        }
    }

    private void stop()
    {
        // In this order: who waits again looks at both in the other one.
        isSignalled = true;
        told.countDown();
        onStop.run();
        if (kind == Kind.TELLING)
        {
            return;
        }
        Interruptible.run(() ->
        {
            if (!done.await(kind.longestStopS, TimeUnit.SECONDS))
            {
                System.err.println("kvctl: could not close everything within " + kind.longestStopS + " s");
            }
        });
        if (kind == Kind.ENDING)
        {
            System.err.flush();
            Runtime.getRuntime().halt(exitCode.code());
        }
    }
}
