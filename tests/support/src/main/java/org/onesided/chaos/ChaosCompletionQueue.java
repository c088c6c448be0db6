package org.onesided.chaos;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionDescriptor;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;

/**
 * A completion queue over two of the wrapped device: one for sends, whose requests may be parts of a READ and carry
 * numbers of our own, and one for receives. Whoever polls or waits here carries on with the requests of its queue
 * pairs.
 *
 * <p>Locks are taken in this order: that of {@link #polling}, a queue pair's, that of {@link #completions}.
 */
final class ChaosCompletionQueue implements CompletionQueue
{
    private static final int DISARMED = 0;
    private static final int ARMED_SOLICITED = 1;
    private static final int ARMED_ANY = 2;
    private static final int BATCH = 64;
    /** Completions of parts wait in the wrapped queue, beside those that its owner reckons with. */
    private static final int MORE_ROOM = 4096;

    private final ChaosContext context;
    private final ChaosCompletionChannel channel;
    private final int capacity;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final NativeArray batch = new NativeArray((long)BATCH * CompletionDescriptor.LENGTH);
    private final UseCount uses = new UseCount("destroy_cq", "the completion queue");
    private final Object polling = new Object();
    private final ArrayDeque<Completion> completions = new ArrayDeque<>();
    private final List<ChaosQueuePair> queuePairs = new CopyOnWriteArrayList<>();
    private final Map<Integer, ChaosQueuePair> byNumber = new ConcurrentHashMap<>();
    private volatile boolean isBroken;
    private boolean isClosed;
    private int armed;
    private boolean isWrappedArmedForAny;
    private int unacknowledged;

    private ChaosCompletionQueue(
        final ChaosContext context,
        final ChaosCompletionChannel channel,
        final int capacity,
        final CompletionQueue sends,
        final CompletionQueue receives)
    {
        this.context = context;
        this.channel = channel;
        this.capacity = capacity;
        this.sends = sends;
        this.receives = receives;
    }

    static ChaosCompletionQueue create(
        final ChaosContext context,
        final Context wrapped,
        final int capacity,
        final ChaosCompletionChannel channel,
        final int vector)
    {
        final DeviceAttributes limits = wrapped.queryDevice();
        final int roomy = capacity < 1 || capacity > limits.maxCompletions() ? capacity :
            (int)Math.min(limits.maxCompletions(), 2L * capacity + MORE_ROOM);
        final var wrappedChannel = channel == null ? null : channel.wrapped();
        final CompletionQueue sends = wrapped.createCompletionQueue(roomy, wrappedChannel, vector);
        final CompletionQueue receives;
        try
        {
            receives = wrapped.createCompletionQueue(roomy, wrappedChannel, vector);
        }
        catch (final RuntimeException e)
        {
            sends.close();
            throw e;
        }
        final ChaosCompletionQueue queue = new ChaosCompletionQueue(context, channel, capacity, sends, receives);
        if (channel != null)
        {
            channel.add(queue);
        }
        return queue;
    }

    @Override
    public int capacity()
    {
        return capacity;
    }

    @Override
    public int poll(final long address, final int count)
    {
        if (count < 0)
        {
            return -Errno.EINVAL;
        }
        synchronized (polling)
        {
            if (isClosed)
            {
                return -Errno.EINVAL;
            }
            progress();
            synchronized (completions)
            {
                int taken = 0;
                while (taken < count && !completions.isEmpty())
                {
                    final Completion completion = completions.remove();
                    completion.write(address + (long)taken++ * CompletionDescriptor.LENGTH);
                    completion.queuePair().freeSends(completion.freeUpTo());
                }
                return taken == 0 && isBroken && count > 0 ? -Errno.EIO : taken;
            }
        }
    }

    @Override
    public int requestNotify(final boolean solicitedOnly)
    {
        if (channel == null)
        {
            return Errno.EINVAL;
        }
        synchronized (polling)
        {
            if (isClosed)
            {
                return Errno.EINVAL;
            }
            progress();
            synchronized (completions)
            {
                armed = solicitedOnly && armed != ARMED_ANY ? ARMED_SOLICITED : ARMED_ANY;
            }
            armWrapped();
        }
        return 0;
    }

    @Override
    public void acknowledgeEvents(final int count)
    {
        synchronized (completions)
        {
            unacknowledged = Math.max(0, unacknowledged - count);
        }
    }

    @Override
    public void close()
    {
        synchronized (completions)
        {
            if (unacknowledged > 0)
            {
                throw new VerbsException("destroy_cq", Errno.EBUSY,
                    "events of the completion queue are not acknowledged: events=" + unacknowledged);
            }
        }
        if (uses.close())
        {
            synchronized (polling)
            {
                isClosed = true;
            }
            if (channel != null)
            {
                channel.remove(this);
            }
            context.remove(this);
            sends.close();
            receives.close();
            batch.close();
        }
    }

    ChaosContext context()
    {
        return context;
    }

    CompletionQueue sends()
    {
        return sends;
    }

    CompletionQueue receives()
    {
        return receives;
    }

    boolean wraps(final CompletionQueue queue)
    {
        return queue == sends || queue == receives;
    }

    boolean isBroken()
    {
        return isBroken;
    }

    void use()
    {
        uses.acquire();
    }

    void release()
    {
        uses.release();
    }

    void add(final ChaosQueuePair queuePair)
    {
        synchronized (polling)
        {
            byNumber.put(queuePair.number(), queuePair);
            queuePairs.add(queuePair);
        }
    }

    void remove(final ChaosQueuePair queuePair)
    {
        synchronized (polling)
        {
            queuePairs.remove(queuePair);
            byNumber.remove(queuePair.number(), queuePair);
        }
    }

    /** Drops the completions of a queue pair that is reset or destroyed. */
    void drop(final ChaosQueuePair queuePair)
    {
        synchronized (polling)
        {
            synchronized (completions)
            {
                completions.removeIf((completion) -> completion.queuePair() == queuePair);
            }
        }
    }

    /**
     * Takes in what the wrapped device has completed, and carries on with all queue pairs.
     */
    void progress()
    {
        synchronized (polling)
        {
            if (isClosed)
            {
                return;
            }
            boolean more = true;
            while (more)
            {
                drain(sends, false);
                drain(receives, true);
                final long nowNs = System.nanoTime();
                more = false;
                for (final ChaosQueuePair queuePair : queuePairs)
                {
                    more |= queuePair.progress(nowNs);
                }
            }
        }
    }

    /**
     * @param nowNs the time.
     * @return nanoseconds until something is due; 0 or less if it is.
     */
    long dueInNs(final long nowNs)
    {
        long dueNs = Long.MAX_VALUE;
        for (final ChaosQueuePair queuePair : queuePairs)
        {
            dueNs = Math.min(dueNs, queuePair.dueInNs(nowNs));
        }
        return dueNs;
    }

    /** Has the wrapped queues wake who waits at the channel. */
    void armWrapped()
    {
        synchronized (polling)
        {
            if (isClosed)
            {
                return;
            }
            final int wanted;
            synchronized (completions)
            {
                wanted = armed;
            }
            // Where nobody waits for this queue, parts of READs still have to follow each other.
            sends.requestNotify(false);
            if (wanted != DISARMED)
            {
                receives.requestNotify(wanted == ARMED_SOLICITED);
                isWrappedArmedForAny = wanted == ARMED_ANY;
            }
        }
    }

    /** An event of a wrapped queue came: only it tells that a message was a solicited one. */
    void rung(final CompletionQueue queue)
    {
        if (queue == receives)
        {
            synchronized (polling)
            {
                if (isWrappedArmedForAny)
                {
                    return;
                }
            }
            progress();
            fire(ARMED_SOLICITED);
        }
    }

    void eventTaken()
    {
        synchronized (completions)
        {
            unacknowledged++;
        }
    }

    /**
     * Adds a completion, under its queue pair's lock.
     *
     * @param completion  to add.
     * @param isSolicited whether it is to wake those who wait for solicited messages only.
     * @return false if the queue is broken, or broke now.
     */
    boolean add(final Completion completion, final boolean isSolicited)
    {
        synchronized (completions)
        {
            if (isBroken)
            {
                return false;
            }
            if (completions.size() >= capacity)
            {
                isBroken = true;
                context.raise(new AsyncEvent(AsyncEvent.Type.CQ_ERR, 0, this));
                return false;
            }
            completions.add(completion);
        }
        fire(isSolicited || completion.hasFailed() ? ARMED_SOLICITED : ARMED_ANY);
        return true;
    }

    private void fire(final int least)
    {
        final boolean isDue;
        synchronized (completions)
        {
            isDue = armed != DISARMED && armed >= least;
            armed = isDue ? DISARMED : armed;
        }
        if (isDue)
        {
            channel.raise(this);
        }
    }

    private void drain(final CompletionQueue from, final boolean areReceives)
    {
        int count;
        do
        {
            count = from.poll(batch.range().address(), BATCH);
            for (int i = 0; i < count; i++)
            {
                final long address = batch.range().addressOf(
                    (long)i * CompletionDescriptor.LENGTH, CompletionDescriptor.LENGTH);
                final ChaosQueuePair queuePair = byNumber.get(CompletionView.queuePair(address));
                if (queuePair != null && areReceives)
                {
                    queuePair.received(address);
                }
                else if (queuePair != null)
                {
                    queuePair.partDone(CompletionView.id(address), CompletionView.status(address));
                }
            }
        }
        while (count == BATCH);
        if (count < 0 && !isBroken)
        {
            isBroken = true;
            context.raise(new AsyncEvent(AsyncEvent.Type.CQ_ERR, 0, this));
        }
    }
}
