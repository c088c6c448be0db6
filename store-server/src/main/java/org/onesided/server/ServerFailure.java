package org.onesided.server;

import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a server still serves, and the cause if it stopped by itself. If a part fails, the whole server closes,
 * because clients would otherwise wait for that part. Thread-safe.
 */
final class ServerFailure
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerFailure.class);

    private final AtomicReference<Throwable> cause = new AtomicReference<>();
    private final Runnable onFailure;
    private final Runnable close;
    private volatile boolean isStopping;
    private volatile boolean beginsAnew;
    private boolean isStarted;

    /**
     * @param onFailure called first, once; not before the server has started.
     * @param close     closes the server, on a thread of its own.
     */
    ServerFailure(final Runnable onFailure, final Runnable close)
    {
        this.onFailure = onFailure;
        this.close = close;
    }

    /** The cause of an end while all works. It is told by its kind, as only the first cause counts. */
    private static final class EndInOrder extends IllegalStateException
    {
        private static final long serialVersionUID = 1L;

        EndInOrder(final String what)
        {
            super(what);
        }
    }

    /** The server is about to close. Threads that end from now on have not failed. */
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

    /**
     * The server has started: from here on, somebody waits for its end. Before, the one that starts it sees that it
     * has failed, or starts another one in its place, of which nothing was told.
     */
    synchronized void started()
    {
        isStarted = true;
        if (cause.get() != null)
        {
            onFailure.run();
        }
    }

    private synchronized void tell()
    {
        if (isStarted)
        {
            onFailure.run();
        }
    }

    /** The server cannot go on. */
    void fail(final String what, final Throwable why)
    {
        if (!isStopping && cause.compareAndSet(null, why))
        {
            // This comes first, because it must be done even if the rest fails for want of memory.
            tell();
            LOGGER.error("{}, stopping the server: cause={}", what, why.toString());
            new Thread(close, "store-stop").start();
        }
    }

    /**
     * A thread has ended that nobody has told to.
     *
     * @param agent name of the thread.
     * @param cause what ended it; null if it was interrupted.
     */
    void agentEnded(final String agent, final Throwable cause)
    {
        fail(agent + " has ended", cause == null ? new IllegalStateException("thread was interrupted") : cause);
    }

    /** The server ends, to begin anew: its state goes on from elsewhere. */
    void beginAnew(final String what, final Throwable why)
    {
        if (!isStopping && cause.compareAndSet(null, why))
        {
            beginsAnew = true;
            tell();
            LOGGER.info("server begins anew: cause={}", what);
            new Thread(close, "store-stop").start();
        }
    }

    /** As {@link #beginAnew}, while all of the server works: it can end as if it were told to stop. */
    void beginAnewInOrder(final String what)
    {
        beginAnew(what, new EndInOrder(what));
    }

    /** Whether nothing is broken, so that others can be let lead. */
    boolean isInOrder()
    {
        final Throwable first = cause.get();
        return first == null || first instanceof EndInOrder;
    }

    /** Whether it ended only to begin anew. */
    boolean beginsAnew()
    {
        return beginsAnew;
    }

    /** Reason for clients, without the exception that ended a thread. */
    String stopReason()
    {
        final Throwable why = cause.get();
        final String reason = "server is about to stop";
        return why instanceof ServerException ? reason + ": " + why.getMessage() : reason;
    }
}
