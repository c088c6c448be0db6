package org.onesided.server.shard;

import org.agrona.concurrent.IdleStrategy;

/**
 * Spins for a while, then arms the completion queues, lets the agent poll once more, and sleeps until an event or a
 * wake-up comes.
 */
final class ShardIdleStrategy implements IdleStrategy
{
    private static final int SPINS_PER_YIELD = 32;
    /** Who only spins ought to have a core of its own. */
    private static final int ENDLESS_SPINS_PER_YIELD = 1024;

    private final ShardChannels channels;
    private final long spinNs;
    private final int spinsPerYield;
    private int spins;
    private long idleSinceNs;
    private boolean isIdle;
    private boolean isArmed;

    /**
     * @param channels where events arrive.
     * @param spinNs   how long to spin in nanoseconds; {@link Long#MAX_VALUE} for ever.
     */
    ShardIdleStrategy(final ShardChannels channels, final long spinNs)
    {
        this.channels = channels;
        this.spinNs = spinNs;
        spinsPerYield = spinNs == Long.MAX_VALUE ? ENDLESS_SPINS_PER_YIELD : SPINS_PER_YIELD;
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
            isArmed = !channels.sleep();
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
            if (++spins % spinsPerYield == 0)
            {
                // A client that was just answered may be waiting for this very core, where it was woken.
                Thread.yield();
            }
            else
            {
                Thread.onSpinWait();
            }
        }
        else
        {
            channels.arm();
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
}
