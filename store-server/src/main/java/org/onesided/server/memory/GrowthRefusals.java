package org.onesided.server.memory;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the system refuses memory, and when to ask it again: after a pause, which gets longer with each refusal. For
 * the growth thread; other threads may ask whether and how often it refused.
 */
final class GrowthRefusals
{
    /** The first pause. */
    static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    /** The longest pause. */
    static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(30);
    /** Without a refusal for so long, memory grows again. */
    static final long QUIET_NS = TimeUnit.SECONDS.toNanos(30);

    private static final Logger LOGGER = LoggerFactory.getLogger(GrowthRefusals.class);

    private final MemoryPool pool;
    private volatile boolean isRefused;
    private volatile long count;
    /** Whether the log says that memory cannot grow. */
    private boolean isReported;
    private long pauseNs = FIRST_PAUSE_NS;
    private long refusedNs;
    private long retryNs;

    /**
     * @param pool of the table, for the log.
     */
    GrowthRefusals(final MemoryPool pool)
    {
        this.pool = pool;
    }

    /** Whether the system refuses memory for now. Safe to ask from any thread. */
    boolean isRefused()
    {
        return isRefused;
    }

    /** How often the system refused memory. Safe to ask from any thread. */
    long count()
    {
        return count;
    }

    /** Whether the system may be asked: it does not refuse, or the pause is over. */
    boolean isTimeToAsk(final long nowNs)
    {
        return !isRefused || nowNs - retryNs >= 0;
    }

    /** The pause is over: the system may have refused for want of what it has got back just now. */
    void retry(final long nowNs)
    {
        retryNs = nowNs;
    }

    /** The system has given memory. */
    void granted()
    {
        isRefused = false;
    }

    /** Nobody asks the system any more. */
    void end()
    {
        isRefused = true;
    }

    /** The system has refused memory. Logged the first time, until it is quiet. */
    void refused(final RuntimeException cause, final long nowNs)
    {
        count++;
        if (!isReported)
        {
            isReported = true;
            LOGGER.warn("memory cannot grow, the store goes on with what it has and tries again: {} " +
                "memory={}MiB limit={}MiB", cause.getMessage(), pool.committed() >> 20, pool.limit() >> 20);
        }
        refusedNs = nowNs;
        retryNs = refusedNs + pauseNs;
        pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
        isRefused = true;
    }

    /** To be called now and then: logs that memory grows again, once there was no refusal for a while. */
    void look(final long nowNs)
    {
        if (isReported && !isRefused && nowNs - refusedNs > QUIET_NS)
        {
            isReported = false;
            pauseNs = FIRST_PAUSE_NS;
            LOGGER.info("memory grows again: memory={}MiB limit={}MiB", pool.committed() >> 20, pool.limit() >> 20);
        }
    }
}
