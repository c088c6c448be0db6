package org.onesided.server.shard;

import org.onesided.verbs.QueuePair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a shard still serves a queue pair; if not, why. An end only begins here: the queue pair is destroyed once all
 * completions of the current poll have been looked at. Belongs to the shard's thread.
 */
final class QueuePairLife
{
    private static final Logger LOGGER = LoggerFactory.getLogger(QueuePairLife.class);

    private final QueuePair queuePair;
    private final int shard;
    private final long session;
    private final ShardCounters counters;
    private final Runnable onEnding;
    private boolean isEnding;
    private boolean isForfeited;
    private String reason;

    /**
     * @param queuePair that is served from now on.
     * @param shard     its number, for the log.
     * @param session   number of its session, for the log.
     * @param counters  of the shard.
     * @param onEnding  called once, when the end begins.
     */
    QueuePairLife(
        final QueuePair queuePair,
        final int shard,
        final long session,
        final ShardCounters counters,
        final Runnable onEnding)
    {
        this.shard = shard;
        this.queuePair = queuePair;
        this.session = session;
        this.counters = counters;
        this.onEnding = onEnding;
    }

    QueuePair queuePair()
    {
        return queuePair;
    }

    boolean isEnding()
    {
        return isEnding;
    }

    /** Whether it ends because the client broke the protocol. */
    boolean isForfeited()
    {
        return isForfeited;
    }

    /** Why the shard ended it; null if it goes on, or was told to end. */
    String reason()
    {
        return reason;
    }

    /** Ends it for a reason of the shard's, unless it is ending already. */
    void lose(final String why)
    {
        if (!isEnding)
        {
            reason = why;
            counters.increment(ShardCounters.CONNECTIONS_LOST);
            end();
        }
    }

    /** Ends it, and its session with it: the client broke the protocol. */
    void forfeit(final String why)
    {
        isForfeited = true;
        lose(why);
    }

    /** Ends it after an error that nobody foresaw. */
    void fail(final RuntimeException e)
    {
        LOGGER.error("ending a session after an unexpected error: shard={} session={}", shard, session, e);
        lose("server failed: " + e);
    }

    /** Ends it without a reason. */
    void end()
    {
        if (!isEnding)
        {
            isEnding = true;
            onEnding.run();
        }
    }
}
