package org.onesided.server.shard.agent;

import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.onesided.waiting.Spin;

/**
 * Spins for a while, then arms the completion queues, lets the agent poll once more, and sleeps until an event or a
 * wake-up comes.
 */
final class ShardIdleStrategy implements IdleStrategy
{
    private final ShardChannels channels;
    private final Spin spin;
    private final LongSupplier sleepNs;
    private final LongSupplier completions;
    private boolean isIdle;
    private boolean isArmed;
    private boolean hasSlept;
    private long completionsBefore;

    /**
     * @param channels    where events arrive.
     * @param spinNs      how long to spin in nanoseconds; {@link Long#MAX_VALUE} for ever.
     * @param sleepNs     how long to sleep at most, in nanoseconds, as it is when the sleep begins.
     * @param completions how many the agent has polled, each of which ends a sleep.
     */
    ShardIdleStrategy(
        final ShardChannels channels, final long spinNs, final LongSupplier sleepNs, final LongSupplier completions)
    {
        this.channels = channels;
        this.sleepNs = sleepNs;
        this.completions = completions;
        spin = new Spin(spinNs);
    }

    @Override
    public void idle(final int workCount)
    {
        if (hasSlept)
        {
            hasSlept = false;
            lookBack();
        }
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
            completionsBefore = completions.getAsLong();
            isArmed = !channels.sleep(sleepNs.getAsLong());
            hasSlept = true;
            return;
        }

        if (!isIdle)
        {
            isIdle = true;
            spin.begin();
        }
        if (!spin.again(System.nanoTime()))
        {
            channels.arm();
            isArmed = true;
        }
    }

    /** The agent has polled since its thread slept. */
    private void lookBack()
    {
        if (completions.getAsLong() != completionsBefore)
        {
            channels.onFound();
        }
    }

    @Override
    public void reset()
    {
        if (isIdle)
        {
            spin.end();
        }
        isIdle = false;
        isArmed = false;
    }

    @Override
    public String alias()
    {
        return "completion-channel";
    }
}
