package org.onesided.server;

import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a server still serves, and why it stopped by itself, if it did. Half a server would keep clients waiting, so
 * it closes as a whole then. Thread-safe.
 */
final class ServerFailure
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerFailure.class);

    private final AtomicReference<Throwable> cause = new AtomicReference<>();
    private final Runnable onFailure;
    private final Runnable close;
    private volatile boolean isStopping;

    /**
     * @param onFailure called first, once.
     * @param close     closes the server, on a thread of its own.
     */
    ServerFailure(final Runnable onFailure, final Runnable close)
    {
        this.onFailure = onFailure;
        this.close = close;
    }

    /** The server is about to close: what ends from now on is no failure. */
    void stop()
    {
        isStopping = true;
    }

    boolean isServing()
    {
        return !isStopping && cause.get() == null;
    }

    /** Cause of the server's end, or null. */
    Throwable cause()
    {
        return cause.get();
    }

    /** The server cannot go on. */
    void fail(final String what, final Throwable why)
    {
        if (!isStopping && cause.compareAndSet(null, why))
        {
            // First of all: should memory be short, this is what must be done.
            onFailure.run();
            LOGGER.error("{}, stopping the server: cause={}", what, why.toString());
            new Thread(close, "store-stop").start();
        }
    }

    /** For clients; what ended a thread is none of their business. */
    String stopReason()
    {
        final Throwable why = cause.get();
        final String reason = "server is about to stop";
        return why instanceof ServerException ? reason + ": " + why.getMessage() : reason;
    }
}
