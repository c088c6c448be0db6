package org.onesided.server.queue;

import org.onesided.verbs.QueuePair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a shard still serves a queue pair, and the reason if not. An end only begins here: the queue pair is
 * destroyed after all completions of the current poll. Belongs to the shard's thread.
 */
public final class QueuePairLife
{
    private static final Logger LOGGER = LoggerFactory.getLogger(QueuePairLife.class);

    private final QueuePair queuePair;
    private final int shard;
    private final long session;
    private final Runnable onLost;
    private final Runnable onEnding;
    private boolean isEnding;
    private boolean isForfeited;
    private String reason;

    /**
     * @param queuePair that is served from now on.
     * @param shard     its number, for the log.
     * @param session   number of its session, for the log.
     * @param onLost    called once if the shard ends it, before the end begins.
     * @param onEnding  called once, when the end begins.
     */
    public QueuePairLife(
        final QueuePair queuePair,
        final int shard,
        final long session,
        final Runnable onLost,
        final Runnable onEnding)
    {
        this.shard = shard;
        this.queuePair = queuePair;
        this.session = session;
        this.onLost = onLost;
        this.onEnding = onEnding;
    }

    QueuePair queuePair()
    {
        return queuePair;
    }

    /**
     * @return whether it is ending, so that nothing is done for it any more.
     */
    public boolean isEnding()
    {
        return isEnding;
    }

    /**
     * @return whether it ends because the client broke the protocol.
     */
    public boolean isForfeited()
    {
        return isForfeited;
    }

    /**
     * @return why the shard ended it; null if it goes on, or was told to end.
     */
    public String reason()
    {
        return reason;
    }

    /**
     * Ends it for a reason of the shard's, unless it is ending already.
     *
     * @param why in a line.
     */
    public void lose(final String why)
    {
        if (!isEnding)
        {
            reason = why;
            onLost.run();
            end();
        }
    }

    /**
     * Ends it, and its session with it: the client broke the protocol.
     *
     * @param why in a line.
     */
    public void forfeit(final String why)
    {
        isForfeited = true;
        lose(why);
    }

    /**
     * Ends the queue pair after an unexpected error.
     *
     * @param e the error.
     */
    public void fail(final RuntimeException e)
    {
        LOGGER.error("ending a session after an unexpected error: shard={} session={}", shard, session, e);
        lose("server failed: " + e);
    }

    /**
     * Ends it without a reason.
     */
    public void end()
    {
        if (!isEnding)
        {
            isEnding = true;
            onEnding.run();
        }
    }
}
