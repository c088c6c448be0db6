package org.onesided.server.shard.agent;

import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.server.agent.Commands;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.reign.ShardLeases;
import org.onesided.server.shard.reign.ShardReign;
import org.onesided.server.shard.requests.Workbench;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Errno;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.VerbsException;

/**
 * The queue pairs whose completions a shard takes: how they are made, come to the shard, and are ended. Other threads
 * ask here, and the shard's thread does it. Thread-safe.
 */
public final class ShardQueuePairs
{
    private final int shard;
    private final ShardDevices devices;
    private final SessionGeometry geometry;
    private final Workbench workbench;
    private final ShardCounters counters;
    private final EndingQueuePairs ending;
    private final Commands commands;
    private final AtomicInteger tags = new AtomicInteger();

    /**
     * @param shard     number of the shard.
     * @param devices   of the shard.
     * @param geometry  of the shard's sessions.
     * @param workbench of the shard.
     * @param counters  of the shard.
     * @param ending    takes queue pairs that the shard no longer serves.
     * @param commands  of the shard.
     */
    ShardQueuePairs(
        final int shard,
        final ShardDevices devices,
        final SessionGeometry geometry,
        final Workbench workbench,
        final ShardCounters counters,
        final EndingQueuePairs ending,
        final Commands commands)
    {
        this.shard = shard;
        this.devices = devices;
        this.geometry = geometry;
        this.workbench = workbench;
        this.counters = counters;
        this.ending = ending;
        this.commands = commands;
    }

    /**
     * Makes a queue pair whose completions the shard takes.
     *
     * @param device index of the device among the shard's.
     * @param domain of the region and of the session's buffers, the device's.
     * @return a queue pair in RESET, to be given to {@link #attach}, or closed by the caller.
     */
    public QueuePair create(final int device, final ProtectionDomain domain)
    {
        final CompletionQueue queue = devices.at(device).queue();
        try
        {
            return domain.createQueuePair(attributes(queue, SessionGeometry.MAX_INLINE));
        }
        catch (final VerbsException e)
        {
            if (e.errno() != Errno.EINVAL)
            {
                throw e;
            }
            // Not every device accepts so much inline data; all devices send without inline data.
            return domain.createQueuePair(attributes(queue, 0));
        }
    }

    private QueuePairInitAttributes attributes(final CompletionQueue queue, final int maxInline)
    {
        return new QueuePairInitAttributes(
            queue, queue, null, geometry.sendSlots(), geometry.credits(), 1, 1, maxInline, false, true);
    }

    /**
     * @return tells a queue pair from others that had the same number before it.
     */
    public int nextTag()
    {
        return tags.incrementAndGet();
    }

    /**
     * Takes a queue pair over, before the client is told that it may send.
     *
     * @param queuePair connected, its receives posted.
     */
    public void attach(final CreditedQueuePair queuePair)
    {
        commands.add(() -> takeOver(queuePair));
    }

    /**
     * As above, for a shard whose log has several members: ends the queue pair if this member does not serve any more,
     * or not in that term. What was told of its role in between is still on its way.
     *
     * @param queuePair connected, its receives posted.
     * @param term      of the role by which the client was let in.
     */
    public void attach(final CreditedQueuePair queuePair, final long term)
    {
        commands.add(() ->
        {
            takeOver(queuePair);
            final ShardReign reign = workbench.log().reign();
            if (!reign.leases().isServing() || reign.leadership().term() != term)
            {
                queuePair.life().lose(ShardLeases.NOT_SERVING);
            }
        });
    }

    private void takeOver(final CreditedQueuePair queuePair)
    {
        final ShardDevice device = devices.at(queuePair.device());
        queuePair.onAttached(shard, workbench, device.keys(), counters, ending::add);
        device.add(queuePair);
        if (device.brokenReason() != null)
        {
            queuePair.life().lose(device.brokenReason());
        }
    }

    /**
     * Ends a queue pair: it is destroyed, and then the listener is told. Nothing happens if it has ended already.
     *
     * @param queuePair that was attached.
     */
    public void end(final CreditedQueuePair queuePair)
    {
        commands.add(() -> queuePair.life().end());
    }

    /**
     * Ends a queue pair that failed, if it is one of the shard's, and in ERR: another one may have its number by now.
     *
     * @param device index of the device among the shard's.
     * @param number of the queue pair.
     * @param reason why it failed.
     */
    public void lose(final int device, final int number, final String reason)
    {
        commands.add(() ->
        {
            final CreditedQueuePair queuePair = devices.at(device).queuePair(number);
            if (queuePair != null && queuePair.hasFailed())
            {
                queuePair.life().lose(reason);
            }
        });
    }

    /**
     * Ends the queue pairs of a port.
     *
     * @param device index of the device among the shard's.
     * @param port   that went down.
     * @param reason why they end.
     */
    public void losePort(final int device, final int port, final String reason)
    {
        commands.add(() -> devices.at(device).queuePairs().forEach((queuePair) ->
        {
            if (queuePair.port() == port)
            {
                queuePair.life().lose(reason);
            }
        }));
    }

    /**
     * Ends all queue pairs of a device, those that are attached later too.
     *
     * @param device index of the device among the shard's.
     * @param reason why they end.
     */
    public void loseAll(final int device, final String reason)
    {
        commands.add(() -> devices.lose(devices.at(device), reason));
    }

    /**
     * As {@link #loseAll}, and the shard's listener hears of it: the completion queue is broken.
     *
     * @param device index of the device among the shard's.
     * @param reason why it is broken.
     */
    public void breakDown(final int device, final String reason)
    {
        commands.add(() -> devices.breakDown(devices.at(device), reason));
    }

    /**
     * @param queue a completion queue.
     * @return whether it is one of the shard's.
     */
    public boolean use(final CompletionQueue queue)
    {
        return devices.use(queue);
    }
}
