package org.onesided.verbs.ibv;

import java.util.function.Consumer;
import org.agrona.UnsafeApi;
import org.agrona.collections.IntHashSet;
import org.onesided.verbs.CompletionDescriptor;
import org.onesided.verbs.Errno;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;

/**
 * A completion queue of libibverbs.
 *
 * <p>Some providers, such as mlx5's, take the completions of a queue pair out of the queue when it is destroyed;
 * others, such as rxe's, leave them there. So a queue pair that is closed leaves its number here, and as long as there
 * are any, polling goes through {@link #pollCarefully}, which drops their completions. Once a poll has emptied the
 * queue nothing of them can be left, and polling is one call again.
 */
final class IbvCompletionQueue implements ChannelQueue
{
    private final NativeContext context;
    private final IbvCompletionChannel channel;
    private final Consumer<IbvCompletionQueue> onDestroyed;
    private final long handle;
    private final long pollFunction;
    private final long notifyFunction;
    private final int capacity;
    private final UseCount uses;

    /** Numbers of closed queue pairs that may have completions in the queue; 0 is no number. */
    private final IntHashSet closedQueuePairs = new IntHashSet();

    /** Closed queue pairs that are not destroyed yet and may add completions. */
    private int closing;

    /** {@link #handle} while a poll may call the driver directly, otherwise 0. */
    private volatile long direct;

    /** {@link #handle} while the queue may be armed, otherwise 0. */
    private volatile long armable;
    /**
     * Of closers, where there is no channel. Not this: destroying waits until the watching thread has acknowledged the
     * event that the queue is broken, and that thread calls {@link #onBroken} before.
     */
    private final Object destruction = new Object();
    private boolean broken;
    private boolean destroyed;

    /** Unacknowledged events; under the channel's lock. */
    private int unacknowledged;

    /**
     * @param context  whose use is acquired already.
     * @param capacity completions it must hold at least.
     * @param channel  that reports its events, or null.
     * @param vector   completion vector.
     * @param onDestroyed is called after the queue was destroyed.
     */
    IbvCompletionQueue(
        final NativeContext context,
        final int capacity,
        final IbvCompletionChannel channel,
        final int vector,
        final Consumer<IbvCompletionQueue> onDestroyed)
    {
        this.context = context;
        this.channel = channel;
        this.onDestroyed = onDestroyed;
        if (channel != null && channel.context() != context)
        {
            throw new VerbsException("create_cq", Errno.EINVAL,
                "the channel is of another context: device=" + context.device().name());
        }
        check(capacity, vector);
        uses = new UseCount("destroy_cq", "the completion queue");
        pollFunction = DirectCalls.function(context.handle(), ContextDescriptor.POLL_CQ_OFFSET);
        notifyFunction = DirectCalls.function(context.handle(), ContextDescriptor.REQ_NOTIFY_CQ_OFFSET);
        if (channel != null)
        {
            channel.uses().acquire();
        }
        handle = context.library().calls()
            .ibv_create_cq(context.handle(), capacity, 0, channel == null ? 0 : channel.handle(), vector);
        if (handle == 0)
        {
            final int errno = context.library().errno();
            if (channel != null)
            {
                channel.uses().release();
            }
            throw IbvErrors.failure("create_cq", errno,
                "device=" + context.device().name() + " cqe=" + capacity + " comp_vector=" + vector);
        }
        new MadeCheck("create_cq", handle)
            .address("ibv_cq.context", CompletionQueueDescriptor.CONTEXT_OFFSET, context.handle())
            .address("ibv_cq.channel", CompletionQueueDescriptor.CHANNEL_OFFSET, channel == null ? 0 : channel.handle())
            .number("ibv_cq.cqe", CompletionQueueDescriptor.CQE_OFFSET, capacity, Integer.MAX_VALUE)
            .orUndo(() ->
            {
                final int errno = context.library().calls().ibv_destroy_cq(handle);
                if (channel != null)
                {
                    channel.uses().release();
                }
                return errno;
            });
        this.capacity = UnsafeApi.getInt(handle + CompletionQueueDescriptor.CQE_OFFSET);
        direct = handle;
        armable = channel == null ? 0 : handle;
        if (channel != null)
        {
            channel.add(this);
        }
    }

    @Override
    public int capacity()
    {
        return capacity;
    }

    @Override
    public int poll(final long address, final int count)
    {
        final long queue = direct;
        if (queue == 0)
        {
            return pollCarefully(address, count);
        }
        final int polled = DirectCalls.call(pollFunction, queue, count, address);
        return polled >= 0 ? polled : -Errno.EIO;
    }

    @Override
    public int requestNotify(final boolean solicitedOnly)
    {
        final long queue = armable;
        if (queue == 0)
        {
            return Errno.EINVAL;
        }
        final int result = DirectCalls.call(notifyFunction, queue, solicitedOnly ? 1 : 0);
        return result == 0 ? 0 : DataPathErrors.errno(result);
    }

    @Override
    public void acknowledgeEvents(final int count)
    {
        if (channel == null)
        {
            return;
        }
        synchronized (channel)
        {
            // Acknowledging more events than there are would make the destroy call wait for ever.
            final int most = Math.min(count, unacknowledged);
            if (most > 0)
            {
                unacknowledged -= most;
                context.library().calls().ibv_ack_cq_events(handle, most);
            }
        }
    }

    @Override
    public void close()
    {
        synchronized (channel == null ? destruction : channel)
        {
            if (unacknowledged > 0)
            {
                throw new VerbsException("destroy_cq", Errno.EBUSY,
                    "events of the completion queue are not acknowledged: events=" + unacknowledged);
            }
            if (uses.close())
            {
                destroy();
            }
        }
    }

    /**
     * @return address of the {@code ibv_cq}.
     */
    @Override
    public long handle()
    {
        return handle;
    }

    UseCount uses()
    {
        return uses;
    }

    NativeContext context()
    {
        return context;
    }

    /**
     * Notes that the device reported the queue as broken: polling fails once its remaining completions were taken.
     */
    synchronized void onBroken()
    {
        broken = true;
        direct = 0;
    }

    @Override
    public void onEvent()
    {
        unacknowledged++;
    }

    /**
     * A queue pair is about to be destroyed: none of its completions may be polled any more, nor may another queue pair
     * have its number.
     *
     * @param number of the queue pair.
     */
    synchronized void onClosing(final int number)
    {
        closedQueuePairs.add(number);
        closing++;
        direct = 0;
    }

    /**
     * The queue pair of an {@link #onClosing} was destroyed. It adds no more completions.
     */
    synchronized void onClosed()
    {
        closing--;
    }

    /**
     * @param number of a queue pair just made.
     * @return whether completions of another one of that number may be in here.
     */
    synchronized boolean mayHold(final int number)
    {
        return closedQueuePairs.contains(number);
    }

    private synchronized int pollCarefully(final long address, final int count)
    {
        if (destroyed)
        {
            return -Errno.EINVAL;
        }
        while (true)
        {
            final int polled = DirectCalls.call(pollFunction, handle, count, address);
            if (polled < 0)
            {
                return -Errno.EIO;
            }
            final int kept = dropClosed(address, polled);
            if (polled < count && closing == 0)
            {
                closedQueuePairs.clear();
                direct = broken ? 0 : handle;
            }
            if (kept == 0 && broken && polled < count)
            {
                return -Errno.EIO;
            }
            // Do not return 0: the caller would take the queue for empty, and may sleep.
            if (kept > 0 || polled < count || count <= 0)
            {
                return kept;
            }
        }
    }

    private int dropClosed(final long address, final int polled)
    {
        int kept = 0;
        for (int i = 0; i < polled; i++)
        {
            final long from = address + (long)i * CompletionDescriptor.LENGTH;
            if (!closedQueuePairs.contains(UnsafeApi.getInt(from + CompletionDescriptor.QUEUE_PAIR_OFFSET)))
            {
                if (kept < i)
                {
                    final long to = address + (long)kept * CompletionDescriptor.LENGTH;
                    UnsafeApi.copyMemory(from, to, CompletionDescriptor.LENGTH);
                }
                kept++;
            }
        }
        return kept;
    }

    private void destroy()
    {
        synchronized (this)
        {
            // Both change together, because a concurrent poll makes the queue direct again.
            destroyed = true;
            direct = 0;
            armable = 0;
        }
        if (channel != null)
        {
            channel.remove(this);
        }
        final int errno = context.library().calls().ibv_destroy_cq(handle);
        onDestroyed.accept(this);
        if (channel != null)
        {
            channel.uses().release();
        }
        context.uses().release();
        if (errno != 0)
        {
            throw IbvErrors.failure("destroy_cq", errno, "device=" + context.device().name() + " cqe=" + capacity);
        }
    }

    private void check(final int wanted, final int vector)
    {
        final int most = context.limits().maxCompletions();
        if (wanted < 1 || wanted > most)
        {
            throw new VerbsException("create_cq", Errno.EINVAL, "cqe is out of range 1 to " + most + ": cqe=" + wanted);
        }
        final int vectors = context.limits().completionVectors();
        if (vector < 0 || vector >= vectors)
        {
            throw new VerbsException("create_cq", Errno.EINVAL,
                "comp_vector is out of range 0 to " + (vectors - 1) + ": comp_vector=" + vector);
        }
    }
}
