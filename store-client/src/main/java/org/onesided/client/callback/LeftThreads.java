package org.onesided.client.callback;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.verbs.ThreadEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a closed client, some of which callbacks may block.
 */
public final class LeftThreads
{
    private static final Logger LOGGER = LoggerFactory.getLogger(LeftThreads.class);
    private static final long GRACE_NS = TimeUnit.MILLISECONDS.toNanos(200);

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
    public static void await(final Collection<Thread> threads, final Thread caller, final String server)
    {
        final List<Thread> left = new ArrayList<>(threads);
        left.remove(caller);
        await(left);
        // Callbacks may wait for something that an interrupt ends.
        left.forEach(Thread::interrupt);
        await(left);
        if (!left.isEmpty())
        {
            LOGGER.warn("client was closed while callbacks run, whose threads end with them: callback={} others={} " +
                "server={}", BlockedCallback.callback(left.get(0).getStackTrace()), left.size() - 1, server);
        }
    }

    private static void await(final List<Thread> left)
    {
        final long endNs = System.nanoTime() + GRACE_NS;
        left.removeIf((thread) -> ThreadEnd.await(thread, Math.max(0, endNs - System.nanoTime())) == null);
    }
}
