package org.onesided.client.bootstrap;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.onesided.waiting.Backoff;
import org.onesided.waiting.Pause;

/**
 * Tries to connect for the first time, within a deadline: once where nobody listens, or a server refuses for good, but
 * repeatedly, after a {@link Backoff}, where a server has no room now. So clients that start together all connect, as
 * fast as the server admits them.
 */
public final class FirstAttempts
{
    private static final long MIN_BACKOFF_NS = 20_000_000L;
    private static final long MAX_BACKOFF_NS = 500_000_000L;
    /** A server that is lost closes, too; a peer that closes every time is no server. */
    private static final int MAX_CLOSED = 8;
    /** How often a waiting thread checks whether the client was closed. */
    private static final long MAX_NAP_NS = 50_000_000L;

    /** So many failures in a row come from the device, not from a server that was lost amid an attempt. */
    private static final int MAX_OF_DEVICE = 3;
    /** Longest pause where another server takes the place of a lost one, soon. */
    private static final long MAX_MOVING_BACKOFF_NS = 50_000_000L;

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
        return run(atNs, isClosed, attempt, pauses(isClosed));
    }

    /** @param pause waits for so many nanoseconds, and gives whether to go on. */
    static <T> T run(
        final long atNs, final BooleanSupplier isClosed, final Attempt<T> attempt, final LongPredicate pause)
        throws AttachFailedException
    {
        final Backoff backoff = backoff(MAX_BACKOFF_NS);
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
                // A refusal without a cause is the server's own text and names the limit.
                refusal = isBusy && (refusal == null || e.getCause() == null) ? e : refusal;
                // A peer that was busy once is a server, even if it closes later connections.
                final boolean isWorthIt = isBusy || isClosing && (refusal != null || failures <= MAX_CLOSED);
                final boolean isLate = atNs - System.nanoTime() <= 0;
                final boolean isAgain = isWorthIt && !isLate && !isClosed.getAsBoolean();
                if (!isAgain || !pause.test(Math.min(atNs - System.nanoTime(), backoff.nextNs())))
                {
                    // If time ran out in the last attempt, the earlier refusals are still the reason.
                    final boolean isOfRefusals =
                        isBusy || isClosing || e.kind() == AttachFailedException.Kind.TRANSIENT;
                    throw refusal != null && isOfRefusals ? refusal : e;
                }
            }
        }
    }

    /**
     * Tries until it works, where a server may be lost, also amid an attempt, and another one takes its place.
     *
     * @param atNs     the deadline, a time of {@link System#nanoTime()}.
     * @param isSpare  whether a server without room is asked once.
     * @param isClosed whether nobody waits any more.
     * @param attempt  to be made.
     * @param <T>      type of what it gives.
     * @return what the attempt gave.
     * @throws AttachFailedException how the last attempt failed.
     */
    public static <T> T follow(
        final long atNs, final boolean isSpare, final BooleanSupplier isClosed, final Attempt<T> attempt)
        throws AttachFailedException
    {
        return follow(atNs, isSpare, isClosed, attempt, pauses(isClosed));
    }

    /** @param pause waits for so many nanoseconds, and gives whether to go on. */
    static <T> T follow(
        final long atNs,
        final boolean isSpare,
        final BooleanSupplier isClosed,
        final Attempt<T> attempt,
        final LongPredicate pause) throws AttachFailedException
    {
        final Backoff backoff = backoff(MAX_MOVING_BACKOFF_NS);
        int ofDevice = 0;
        while (true)
        {
            try
            {
                return attempt.run();
            }
            catch (final AttachFailedException e)
            {
                ofDevice = e.isOfDevice() ? ofDevice + 1 : 0;
                final boolean isWorthIt = switch (e.kind())
                {
                    case TRANSIENT, CLOSED, NOT_LEADING, STRANGER -> true;
                    case BUSY -> !isSpare;
                    case NO_WAY, DEVICE -> ofDevice < MAX_OF_DEVICE;
                    default -> false;
                };
                if (!isWorthIt || atNs - System.nanoTime() <= 0 || isClosed.getAsBoolean() ||
                    !pause.test(Math.min(atNs - System.nanoTime(), backoff.nextNs())))
                {
                    throw e;
                }
            }
        }
    }

    private static LongPredicate pauses(final BooleanSupplier isClosed)
    {
        return (ns) -> Pause.untilInterrupted(System.nanoTime() + ns, MAX_NAP_NS, isClosed);
    }

    private static Backoff backoff(final long maxNs)
    {
        return new Backoff(MIN_BACKOFF_NS, maxNs, (bound) -> ThreadLocalRandom.current().nextLong(bound));
    }
}
