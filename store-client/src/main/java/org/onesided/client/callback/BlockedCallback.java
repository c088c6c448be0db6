package org.onesided.client.callback;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns from time to time of callbacks that block a client's thread; on a thread of its own, since logging may block.
 * Thread-safe.
 */
public final class BlockedCallback
{
    private static final Logger LOGGER = LoggerFactory.getLogger(BlockedCallback.class);
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String[] NOT_OF_CALLBACKS = {
        "java.", "javax.", "jdk.", "sun.", "org.onesided.client.", "org.onesided.verbs.", "org.onesided.protocol."};

    private final String server;
    private final NanoClock clock;
    private final Consumer<String> log;
    private boolean isWarned;
    private long warnedNs;
    private int unsaid;
    private Thread writer;

    /**
     * @param server of the client, for the log.
     */
    public BlockedCallback(final String server)
    {
        this(server, SystemNanoClock.INSTANCE, LOGGER::warn);
    }

    BlockedCallback(final String server, final NanoClock clock, final Consumer<String> log)
    {
        this.server = server;
        this.clock = clock;
        this.log = log;
    }

    /**
     * Names the callback that a thread is in. Does not wait.
     *
     * @param thread    that runs it.
     * @param operation whose end it was told.
     * @param sinceNs   how long it runs already, in nanoseconds.
     */
    public synchronized void warn(final Thread thread, final AsyncOperation operation, final long sinceNs)
    {
        final long nowNs = clock.nanoTime();
        if (isWarned && nowNs - warnedNs < PAUSE_NS || writer != null && writer.isAlive())
        {
            unsaid++;
            return;
        }
        isWarned = true;
        warnedNs = nowNs;
        final int others = unsaid;
        unsaid = 0;
        // Take the stack here, since the thread may leave the callback while the writer starts.
        final StackTraceElement[] frames = thread.getStackTrace();
        final Thread.State state = thread.getState();
        final String name = thread.getName();
        writer = new Thread(
            () -> log.accept(warning(frames, name, state, operation, sinceNs, others)),
            "onesided-async-warning " + server);
        writer.setDaemon(true);
        writer.start();
    }

    private String warning(
        final StackTraceElement[] frames,
        final String thread,
        final Thread.State state,
        final AsyncOperation operation,
        final long sinceNs,
        final int others)
    {
        return "callback keeps the client's thread, let it depend by an Async method or give the client an executor: " +
            "callback=" + callback(frames) + " operation=" + operation.name() +
            " for_ms=" + TimeUnit.NANOSECONDS.toMillis(sinceNs) + " state=" + state + " others=" + others +
            " server=" + server + " thread=" + thread;
    }

    /** The innermost call outside library and JDK; if there is none, the innermost call. */
    static String callback(final StackTraceElement[] frames)
    {
        for (final StackTraceElement frame : frames)
        {
            if (isOfCallback(frame.getClassName()))
            {
                return text(frame);
            }
        }
        return frames.length == 0 ? "none any more" : text(frames[0]);
    }

    /** The call without the names of class loader and module. */
    private static String text(final StackTraceElement frame)
    {
        return new StackTraceElement(
            frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber()).toString();
    }

    private static boolean isOfCallback(final String className)
    {
        for (final String prefix : NOT_OF_CALLBACKS)
        {
            if (className.startsWith(prefix))
            {
                return false;
            }
        }
        return true;
    }
}
