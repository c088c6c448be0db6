package org.onesided.verbs.tcp;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Checks all connections periodically, whichever thread serves them, so that none waits for a dead peer and polling
 * threads need no clock. Used by the progress thread.
 */
final class Silences implements Ticking
{
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** If this side was delayed for so long, the peer is not blamed for that time. */
    private static final long MAX_PASSED_NS = 2 * TICK_NS;
    private static final long FOR_EVER_NS = Long.MAX_VALUE;

    private final Set<Watched> connections = new HashSet<>();
    private long lastNs;

    void add(final Watched connection)
    {
        if (connections.isEmpty())
        {
            lastNs = System.nanoTime();
        }
        connections.add(connection);
    }

    void remove(final Watched connection)
    {
        connections.remove(connection);
    }

    @Override
    public long tick(final long nowNs)
    {
        if (connections.isEmpty())
        {
            return FOR_EVER_NS;
        }
        final long passedNs = nowNs - lastNs;
        if (passedNs < TICK_NS)
        {
            return TICK_NS - passedNs;
        }
        lastNs = nowNs;
        for (final Watched connection : connections)
        {
            connection.watch(Math.min(passedNs, MAX_PASSED_NS));
        }
        return TICK_NS;
    }
}
