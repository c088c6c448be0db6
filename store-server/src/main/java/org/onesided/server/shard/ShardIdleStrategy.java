package org.onesided.server.shard;

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
    private boolean isIdle;
    private boolean isArmed;

    /**
     * @param channels where events arrive.
     * @param spinNs   how long to spin in nanoseconds; {@link Long#MAX_VALUE} for ever.
     * @param sleepNs  how long to sleep at most, in nanoseconds, as it is when the sleep begins.
     */
    ShardIdleStrategy(final ShardChannels channels, final long spinNs, final LongSupplier sleepNs)
    {
        this.channels = channels;
        this.sleepNs = sleepNs;
        spin = new Spin(spinNs);
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
            isArmed = !channels.sleep(sleepNs.getAsLong());
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
