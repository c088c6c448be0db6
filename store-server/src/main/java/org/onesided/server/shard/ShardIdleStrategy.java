package org.onesided.server.shard;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.concurrent.IdleStrategy;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.VerbsException;

/**
 * Spins for a while, then arms the completion queue, lets the agent poll once more, and sleeps until an event or a
 * wake-up comes.
 */
final class ShardIdleStrategy implements IdleStrategy
{
    private static final int SPINS_PER_YIELD = 32;
    /** Who only spins ought to have a core of its own. */
    private static final int ENDLESS_SPINS_PER_YIELD = 1024;
    private static final long MAX_SLEEP_NS = 1_000_000_000L;
    /** Commands are looked at so often where no channel tells of them any more. */
    private static final long BROKEN_SLEEP_NS = 10_000_000L;

    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final long spinNs;
    private final Consumer<String> onBroken;
    private final int spinsPerYield;
    private int spins;
    private long idleSinceNs;
    private boolean isIdle;
    private boolean isArmed;
    private boolean isBroken;

    /**
     * @param channel  where the queue's events arrive.
     * @param queue    of the agent.
     * @param spinNs   how long to spin in nanoseconds; {@link Long#MAX_VALUE} for ever.
     * @param onBroken hears, on the agent's thread and once, why the channel cannot be waited for any more.
     */
    ShardIdleStrategy(
        final CompletionChannel channel,
        final CompletionQueue queue,
        final long spinNs,
        final Consumer<String> onBroken)
    {
        this.onBroken = onBroken;
        this.channel = channel;
        this.queue = queue;
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
        if (isBroken)
        {
            LockSupport.parkNanos(this, BROKEN_SLEEP_NS);
            return;
        }
        try
        {
            if (channel.awaitEvent(MAX_SLEEP_NS) != null)
            {
                queue.acknowledgeEvents(1);
                isArmed = false;
            }
        }
        catch (final VerbsException e)
        {
            isBroken = true;
            onBroken.accept("completion channel is broken: " + e.getMessage());
        }
    }
}
