package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.onesided.tools.text.TerminalLine;
import org.onesided.waiting.Interruptible;

/**
 * Shows on a terminal what a command waits for, after more than a second, and erases it at the end. Does nothing
 * elsewhere. Lines that the process writes to {@link System#err} meanwhile, such as a log, stay intact. One at a time.
 */
public final class WaitNotice implements AutoCloseable
{
    static final long FIRST_MS = 1_000;
    private static final long NEXT_MS = 250;

    private final TerminalLine line;
    private final Supplier<String> what;
    private final long firstMs;
    private final DoubleSupplier share;
    private final CountDownLatch over = new CountDownLatch(1);
    private final PrintStream systemErr = System.err;
    private final Thread thread;
    /** Not after part of a line, which drawing would erase. */
    private boolean isAtLineStart = true;

    /**
     * @param err        standard error.
     * @param isTerminal whether to show anything.
     * @param what       tells what the process waits for; called by another thread.
     * @param firstMs    until it is shown, in milliseconds.
     * @param share      gives the part that is done, 0 to 1, for a bar; called by another thread. Negative for no bar.
     */
    WaitNotice(
        final PrintStream err,
        final boolean isTerminal,
        final Supplier<String> what,
        final long firstMs,
        final DoubleSupplier share)
    {
        line = new TerminalLine(err, isTerminal);
        this.what = what;
        this.firstMs = firstMs;
        this.share = share;
        thread = isTerminal ? new Thread(this::show, "kvctl-notice") : null;
        if (thread != null)
        {
            System.setErr(new PrintStream(new Guard(), true, UTF_8));
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Runs a task, with a notice while it runs.
     *
     * @param surroundings with the standard error.
     * @param what         the process waits for.
     * @param task         to run.
     * @param <T>          type of its result.
     * @param <E>          what it throws.
     * @return its result.
     * @throws E if it fails.
     */
    public static <T, E extends Exception> T during(
        final Surroundings surroundings, final String what, final Task<T, E> task) throws E
    {
        return during(surroundings, what, () -> -1, task);
    }

    /**
     * Runs a task, with a notice and a bar while it runs.
     *
     * @param surroundings with the standard error.
     * @param what the process waits for.
     * @param share gives the part that is done, 0 to 1, or negative for no bar; called by another thread.
     * @param task to run.
     * @param <T> type of its result.
     * @param <E> what it throws.
     * @return its result.
     * @throws E if it fails.
     */
    public static <T, E extends Exception> T during(
        final Surroundings surroundings, final String what, final DoubleSupplier share, final Task<T, E> task) throws E
    {
        return during(surroundings, () -> what, share, task);
    }

    /**
     * Runs a task, with a notice and a bar while it runs, which both may change.
     *
     * @param surroundings with the standard error.
     * @param what tells what the process waits for; called by another thread.
     * @param share gives the part that is done, 0 to 1, or negative for no bar; called by another thread.
     * @param task to run.
     * @param <T> type of its result.
     * @param <E> what it throws.
     * @return its result.
     * @throws E if it fails.
     */
    public static <T, E extends Exception> T during(
        final Surroundings surroundings,
        final Supplier<String> what,
        final DoubleSupplier share,
        final Task<T, E> task) throws E
    {
        final WaitNotice notice =
            new WaitNotice(surroundings.err(), surroundings.errIsTerminal(), what, FIRST_MS, share);
        try
        {
            return task.run();
        }
        finally
        {
            notice.close();
        }
    }

    /**
     * A task that takes time.
     *
     * @param <T> type of its result.
     * @param <E> what it throws.
     */
    @FunctionalInterface
    public interface Task<T, E extends Exception>
    {
        /**
         * Runs the task.
         *
         * @return its result.
         * @throws E if it fails.
         */
        T run() throws E;
    }

    /** Ends the notice; it prints nothing afterwards. */
    @Override
    public void close()
    {
        over.countDown();
        if (thread == null)
        {
            return;
        }
        Interruptible.joinToTheEnd(thread);
        System.setErr(systemErr);
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
                draw((System.nanoTime() - startNs) / 1_000_000_000);
            }
            while (!over.await(NEXT_MS, TimeUnit.MILLISECONDS));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        erase();
    }

    private synchronized void draw(final long seconds)
    {
        if (isAtLineStart)
        {
            final double part = share.getAsDouble();
            line.show(what.get() + (part < 0 ? ", " : " " + TerminalLine.bar(part) + " ") + seconds + " s");
        }
    }

    private synchronized void erase()
    {
        line.erase();
    }

    /** Erases the notice before anything else is written; it is drawn again a little later. */
    private final class Guard extends OutputStream
    {
        @Override
        public void write(final int value)
        {
            write(new byte[]{(byte)value}, 0, 1);
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length)
        {
            synchronized (WaitNotice.this)
            {
                erase();
                systemErr.write(bytes, offset, length);
                isAtLineStart = length == 0 ? isAtLineStart : bytes[offset + length - 1] == '\n';
            }
        }

        @Override
        public void flush()
        {
            systemErr.flush();
        }
    }
}
