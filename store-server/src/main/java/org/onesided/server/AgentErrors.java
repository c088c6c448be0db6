package org.onesided.server;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.ErrorHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what an agent throws. Its thread goes on, so an agent that throws in each round would fill a disk: of the errors
 * of one class one in {@link #PAUSE_NS} is logged, and how many were not. For the agent's thread.
 */
final class AgentErrors implements ErrorHandler
{
    static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final Logger LOGGER = LoggerFactory.getLogger(AgentErrors.class);

    private final String agent;
    private final LongSupplier clock;
    /** When errors of a class were logged last. */
    private final Map<Class<?>, Long> logged = new HashMap<>();
    private long unlogged;

    /**
     * @param agent that throws.
     * @param clock nanoseconds.
     */
    AgentErrors(final String agent, final LongSupplier clock)
    {
        this.agent = agent;
        this.clock = clock;
    }

    @Override
    public void onError(final Throwable error)
    {
        final long nowNs = clock.getAsLong();
        final Long lastNs = logged.get(error.getClass());
        if (lastNs != null && nowNs - lastNs < PAUSE_NS)
        {
            unlogged++;
            return;
        }
        LOGGER.error("unexpected error: agent={} not-logged-before={}", agent, unlogged, error);
        logged.put(error.getClass(), nowNs);
        unlogged = 0;
    }

    /** Errors since the last one that was logged. */
    long unlogged()
    {
        return unlogged;
    }
}
