package org.onesided.server.shard.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.waiting.LostWakeUps;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a shard's one thread sleep for all its devices: in the channel of one device, which the channels of the others
 * wake. This needs no further threads; with one device, the thread sleeps in its channel. Belongs to the shard's
 * thread, except {@link #wakeUp}.
 */
final class ShardChannels
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardChannels.class);
    /** Upper limit of one sleep, in case a wake-up is lost; see {@link LostWakeUps}. */
    private static final long MAX_SLEEP_NS = 1_000_000_000L;
    /** A shorter sleep ends at a deadline, and now and then an event comes just as it ends. */
    private static final long TELLING_NS = 500_000_000L;
    /** Interval of checking for commands without a working channel. */
    private static final long BROKEN_SLEEP_NS = 10_000_000L;

    private final BiConsumer<ShardDevice, String> onBroken;
    private final List<ShardDevice> working;
    /** Channel that the thread sleeps in; null if none is left. */
    private volatile ShardDevice sleeper;
    /** Where the thread slept last for as long as it might; null if something ended its sleep, or it was short. */
    private ShardDevice overslept;
    private long sleptAtNs;

    /**
     * @param devices  of the shard, at least one.
     * @param onBroken hears, on the shard's thread and once for each, why a channel cannot be waited for any more.
     * @throws VerbsException with {@code EOPNOTSUPP} if nobody can sleep for all the devices.
     */
    ShardChannels(final List<ShardDevice> devices, final BiConsumer<ShardDevice, String> onBroken)
    {
        this.onBroken = onBroken;
        working = new ArrayList<>(devices);
        sleeper = choose();
        if (sleeper == null)
        {
            throw new VerbsException("create_comp_channel", Errno.EOPNOTSUPP,
                "no thread can wait for these devices together, offer fewer: devices=" +
                    devices.stream().map(ShardDevice::name).toList());
        }
    }

    /** Ends the thread's sleep, or its next one. Safe to call from any thread. */
    void wakeUp()
    {
        final ShardDevice at = sleeper;
        if (at != null)
        {
            at.channel().wakeUp();
        }
    }

    /** Arms all queues. Arming a broken queue fails without harm: commands still wake the thread. */
    void arm()
    {
        for (int i = 0; i < working.size(); i++)
        {
            working.get(i).queue().requestNotify(false);
        }
    }

    /**
     * Sleeps until there is an event, or somebody wakes the thread.
     *
     * @param mostNs how long at most, in nanoseconds.
     * @return whether there was an event, after which the queues are to be armed anew.
     */
    boolean sleep(final long mostNs)
    {
        final ShardDevice at = sleeper;
        overslept = null;
        if (at == null)
        {
            LockSupport.parkNanos(this, BROKEN_SLEEP_NS);
            return false;
        }
        sleptAtNs = System.nanoTime();
        final long boundNs = Math.min(mostNs, MAX_SLEEP_NS);
        boolean isEvent = takeEvent(at, boundNs);
        if (!isEvent && sleeper == at && boundNs >= TELLING_NS && System.nanoTime() - sleptAtNs >= boundNs)
        {
            // Leave the events of other devices: their wake-up may be on its way.
            overslept = at;
            return false;
        }
        for (int i = working.size() - 1; i >= 0; i--)
        {
            final ShardDevice device = working.get(i);
            isEvent |= device != at && takeEvent(device, 0);
        }
        report();
        return isEvent;
    }

    /**
     * What should have ended a sleep was found after it: if the sleep had its full length, and nothing wakes the thread
     * now, a wake-up was lost. Counts it, and logs those of the device, too.
     */
    void onFound()
    {
        final ShardDevice at = overslept;
        if (at != null)
        {
            overslept = null;
            final long startNs = System.nanoTime();
            if (!takeEvent(at, LostWakeUps.GRACE_NS) && System.nanoTime() - startNs >= LostWakeUps.GRACE_NS)
            {
                LostWakeUps.add();
            }
            report();
        }
    }

    private void report()
    {
        final long lost = LostWakeUps.takeUnreported();
        if (lost > 0)
        {
            LOGGER.warn("a wake-up was lost, which delayed requests: count={} milliseconds={}", lost,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sleptAtNs));
        }
    }

    private boolean takeEvent(final ShardDevice device, final long timeoutNs)
    {
        try
        {
            final CompletionQueue queue = device.channel().awaitEvent(timeoutNs);
            if (queue != null)
            {
                queue.acknowledgeEvents(1);
            }
            return queue != null;
        }
        catch (final VerbsException e)
        {
            working.remove(device);
            sleeper = choose();
            onBroken.accept(device, "completion channel is broken: " + e.getMessage());
            return false;
        }
    }

    /** The first device whose channel all others can wake. */
    private ShardDevice choose()
    {
        for (final ShardDevice device : working)
        {
            if (letAllOthersWake(device))
            {
                return device;
            }
        }
        return null;
    }

    /** Connects the channels of all other devices to wake a device's channel; whether that succeeded. */
    private boolean letAllOthersWake(final ShardDevice device)
    {
        final CompletionChannel channel = device.channel();
        return working.stream().allMatch((other) -> other == device || other.channel().wake(channel));
    }
}
