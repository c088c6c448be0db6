package org.onesided.client.callback;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a closed client, some of which callbacks may block.
 */
public final class LeftThreads
{
    private static final Logger LOGGER = LoggerFactory.getLogger(LeftThreads.class);
    private static final long GRACE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** What a thread does for the client. */
    public interface Left
    {
        /**
         * @return the thread that does it, or null after its end.
         */
        Thread thread();

        /** Interrupts the thread, unless that does something else by now. */
        void interrupt();

        /**
         * @param timeoutNs for how long to wait, in nanoseconds.
         * @return whether it has ended.
         * @throws InterruptedException if the calling thread is interrupted.
         */
        boolean awaitEnd(long timeoutNs) throws InterruptedException;
    }

    private LeftThreads()
    {
    }

    /**
     * Waits for a moment until they end, and for another once they are interrupted.
     *
     * @param threads of the client.
     * @param caller  is not waited for.
     * @param server  of the client, for the log.
     */
    public static void await(final Collection<? extends Left> threads, final Thread caller, final String server)
    {
        final List<Left> left = new ArrayList<>(threads);
        left.removeIf((each) -> each.thread() == caller);
        await(left);
        // Callbacks may wait for something that an interrupt ends.
        left.forEach(Left::interrupt);
        await(left);
        final Thread first = left.isEmpty() ? null : left.get(0).thread();
        if (first != null)
        {
            LOGGER.warn("client was closed while callbacks run, whose threads end with them: callback={} others={} " +
                "server={}", BlockedCallback.callback(first.getStackTrace()), left.size() - 1, server);
        }
    }

    private static void await(final List<Left> left)
    {
        final long endNs = System.nanoTime() + GRACE_NS;
        boolean isInterrupted = false;
        final Iterator<Left> each = left.iterator();
        while (each.hasNext())
        {
            final Left one = each.next();
            try
            {
                if (one.awaitEnd(isInterrupted ? 0 : Math.max(0, endNs - System.nanoTime())))
                {
                    each.remove();
                }
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
