package org.onesided.client.bootstrap;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Tries to connect for the first time, within a deadline: once where nobody listens, or a server refuses for good, but
 * again and again, after pauses that grow and that chance decides, where a server has no room now. So clients that come
 * all at once come to be served, all of them, as fast as the server can.
 */
public final class FirstAttempts
{
    private static final long MIN_BACKOFF_NS = 20_000_000L;
    private static final long MAX_BACKOFF_NS = 500_000_000L;
    /** A server that is short of room within TLS cannot say so; what closes each time is none. */
    private static final int MAX_CLOSED = 8;
    /** A thread that waits looks so often whether the client was closed. */
    private static final long MAX_NAP_NS = 50_000_000L;

    private FirstAttempts()
    {
    }

    /**
     * One attempt.
     *
     * @param <T> type of what it gives.
     */
    @FunctionalInterface
    public interface Attempt<T>
    {
        /**
         * @return its result.
         * @throws AttachFailedException if it failed.
         */
        T run() throws AttachFailedException;
    }

    /**
     * Tries until it works, or waiting helps no more.
     *
     * @param atNs     the deadline, a time of {@link System#nanoTime()}.
     * @param isClosed whether nobody waits any more.
     * @param attempt  to be made.
     * @param <T>      type of what it gives.
     * @return what the attempt gave.
     * @throws AttachFailedException the refusal that names the limit, if there was one, else how the last failed.
     */
    public static <T> T run(final long atNs, final BooleanSupplier isClosed, final Attempt<T> attempt)
        throws AttachFailedException
    {
        final Backoff backoff = new Backoff(
            MIN_BACKOFF_NS, MAX_BACKOFF_NS, bound -> ThreadLocalRandom.current().nextLong(bound));
        AttachFailedException refusal = null;
        for (int failures = 1; ; failures++)
        {
            try
            {
                return attempt.run();
            }
            catch (final AttachFailedException e)
            {
                final boolean isBusy = e.kind() == AttachFailedException.Kind.BUSY;
                final boolean isClosing = e.kind() == AttachFailedException.Kind.CLOSED;
                // One without a cause is in the server's own words, and names the limit.
                refusal = isBusy && (refusal == null || e.getCause() == null) ? e : refusal;
                // What was busy once is a server, whatever it closes.
                final boolean isWorthIt = isBusy || isClosing && (refusal != null || failures <= MAX_CLOSED);
                final boolean isLate = atNs - System.nanoTime() <= 0;
                final boolean isAgain = isWorthIt && !isLate && !isClosed.getAsBoolean();
                if (!isAgain || !nap(Math.min(atNs, System.nanoTime() + backoff.nextNs()), isClosed))
                {
                    // Who ran out of time amid the last attempt still had to wait because of the refusals before.
                    final boolean isOfRefusals =
                        isBusy || isClosing || e.kind() == AttachFailedException.Kind.TRANSIENT;
                    throw refusal != null && isOfRefusals ? refusal : e;
                }
            }
        }
    }

    /** Sleeps; whether to go on. */
    private static boolean nap(final long endNs, final BooleanSupplier isClosed)
    {
        long remainingNs = endNs - System.nanoTime();
        while (remainingNs > 0 && !isClosed.getAsBoolean() && !Thread.currentThread().isInterrupted())
        {
            LockSupport.parkNanos(Math.min(remainingNs, MAX_NAP_NS));
            remainingNs = endNs - System.nanoTime();
        }
        return !isClosed.getAsBoolean() && !Thread.currentThread().isInterrupted();
    }
}
