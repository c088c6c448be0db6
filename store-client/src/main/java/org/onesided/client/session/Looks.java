package org.onesided.client.session;

import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects that the life line checks once somebody asks for it, and then again after each period until none of them
 * wants more. Only the life line's thread looks; all else is thread-safe.
 */
final class Looks
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Looks.class);

    private final long periodNs;
    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
    private volatile boolean isAsked;
    private long nextNs = System.nanoTime();

    /**
     * @param periodNs the shortest time from one look to the next.
     */
    Looks(final long periodNs)
    {
        this.periodNs = periodNs;
    }

    void add(final Watched one)
    {
        watched.add(one);
    }

    void remove(final Watched one)
    {
        watched.remove(one);
    }

    /** Asks for a look; whether the caller must wake the thread for it. */
    boolean ask()
    {
        if (isAsked)
        {
            return false;
        }
        isAsked = true;
        return true;
    }

    /** Nanoseconds until there is something to do; the greatest number if nobody has asked. */
    long untilDueNs(final long nowNs)
    {
        return isAsked ? nextNs - nowNs : Long.MAX_VALUE;
    }

    /** Checks all objects, if somebody has asked and a period has passed since they were last checked. */
    void lookIfDue(final long nowNs)
    {
        if (untilDueNs(nowNs) > 0)
        {
            return;
        }
        nextNs = nowNs + periodNs;
        isAsked = false;
        // Who asks either reads the cleared flag and wakes this thread, or what it has done is visible below.
        VarHandle.fullFence();
        boolean isMore = false;
        for (final Watched one : watched)
        {
            try
            {
                isMore |= one.look(nowNs);
            }
            catch (final RuntimeException | Error e)
            {
                // Includes OutOfMemoryError: this object is checked again, and the others now.
                isMore = true;
                LOGGER.warn("life line could not check a client, and retries", e);
            }
        }
        if (isMore)
        {
            isAsked = true;
        }
    }
}
