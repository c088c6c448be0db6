package org.onesided.server.shard;

import org.agrona.concurrent.IdleStrategy;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;

/**
 * Spins for a while, then arms the completion queue, lets the agent poll once more, and sleeps until an event or a
 * wake-up comes.
 */
final class ShardIdleStrategy implements IdleStrategy
{
    private static final long MAX_SLEEP_NS = 1_000_000_000L;

    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final long spinNs;
    private long idleSinceNs;
    private boolean isIdle;
    private boolean isArmed;

    /**
     * @param channel where the queue's events arrive.
     * @param queue   of the agent.
     * @param spinNs  how long to spin in nanoseconds; {@link Long#MAX_VALUE} for ever.
     */
    ShardIdleStrategy(final CompletionChannel channel, final CompletionQueue queue, final long spinNs)
    {
        this.channel = channel;
        this.queue = queue;
        this.spinNs = spinNs;
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            reset();
        }
        else
        {
            idle();
        }
    }

    @Override
    public void idle()
    {
        if (isArmed)
        {
            sleep();
            return;
        }

        final long nowNs = System.nanoTime();
        if (!isIdle)
        {
            isIdle = true;
            idleSinceNs = nowNs;
        }
        if (nowNs - idleSinceNs < spinNs)
        {
            Thread.onSpinWait();
        }
        else
        {
            // A broken queue cannot be armed; nothing will come from it, but commands still wake the agent.
            queue.requestNotify(false);
            isArmed = true;
        }
    }

    @Override
    public void reset()
    {
        isIdle = false;
        isArmed = false;
    }

    @Override
    public String alias()
    {
        return "completion-channel";
    }

    private void sleep()
    {
        if (channel.awaitEvent(MAX_SLEEP_NS) != null)
        {
            queue.acknowledgeEvents(1);
            isArmed = false;
        }
    }
}
