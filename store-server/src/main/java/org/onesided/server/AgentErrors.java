package org.onesided.server;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.ErrorHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what an agent throws. Its thread goes on, so an agent that throws in each round would fill a disk: of errors of
 * one class that come fast, only some are logged, and how many were not. For the agent's thread.
 */
final class AgentErrors implements ErrorHandler
{
    static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final Logger LOGGER = LoggerFactory.getLogger(AgentErrors.class);

    private final String agent;
    private final LongSupplier clock;
    private Class<?> last;
    private long loggedNs;
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
        if (last == error.getClass() && nowNs - loggedNs < PAUSE_NS)
        {
            unlogged++;
            return;
        }
        LOGGER.error("unexpected error: agent={} not-logged-before={}", agent, unlogged, error);
        last = error.getClass();
        loggedNs = nowNs;
        unlogged = 0;
    }

    /** Errors since the last one that was logged. */
    long unlogged()
    {
        return unlogged;
    }
}
