package org.onesided.verbs.ibv;

import org.agrona.UnsafeApi;
import org.agrona.collections.Long2ObjectHashMap;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.posix.Posix;

/**
 * A completion channel of libibverbs. Its file descriptor does not block, so that several threads can wait, with a
 * timeout, and can be woken.
 */
final class IbvCompletionChannel implements CompletionChannel
{
    private static final int QUEUE_OFFSET = 0;
    private static final int COOKIE_OFFSET = QUEUE_OFFSET + Long.BYTES;
    private static final int LENGTH = COOKIE_OFFSET + Long.BYTES;

    private final NativeContext context;
    private final long handle;
    private final EventWait wait;
    private final int descriptor;
    private final NativeArray memory;
    private final UseCount uses;
    private final Long2ObjectHashMap<ChannelQueue> queues = new Long2ObjectHashMap<>();

    /**
     * @param context whose use is acquired already.
     */
    IbvCompletionChannel(final NativeContext context)
    {
        this.context = context;
        uses = new UseCount("destroy_comp_channel", "the completion channel");
        memory = new NativeArray(LENGTH);
        long made = 0;
        EventWait waiting = null;
        int fd = -1;
        try
        {
            made = context.library().calls().ibv_create_comp_channel(context.handle());
            if (made == 0)
            {
                throw IbvErrors.failure(
                    "create_comp_channel", context.library().errno(), "device=" + context.device().name());
            }
            new MadeCheck("create_comp_channel", made)
                .address("ibv_comp_channel.context", CompletionChannelDescriptor.CONTEXT_OFFSET, context.handle())
                .orUndo(() -> 0);
            fd = UnsafeApi.getInt(made + CompletionChannelDescriptor.FD_OFFSET);
            Posix.doNotBlock(fd);
            waiting = new EventWait(fd);
        }
        finally
        {
            if (waiting == null)
            {
                if (made != 0)
                {
                    context.library().calls().ibv_destroy_comp_channel(made);
                }
                memory.close();
            }
        }
        handle = made;
        wait = waiting;
        descriptor = fd;
    }

    @Override
    public CompletionQueue awaitEvent(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        while (true)
        {
            final CompletionQueue queue = nextEvent();
            if (queue != null)
            {
                return queue;
            }
            if (wait.takeWakeUp() || uses.isClosed())
            {
                return null;
            }
            final long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (leftNs <= 0)
            {
                return null;
            }
            // Older kernels say EAGAIN for ever instead.
            if (!wait.await(leftNs))
            {
                throw IbvErrors.failure("get_cq_event", Errno.EIO, "device=" + context.device().name());
            }
        }
    }

    @Override
    public void wakeUp()
    {
        wait.wakeUp();
    }

    @Override
    public boolean wake(final CompletionChannel other)
    {
        return other.alsoAwait(descriptor);
    }

    @Override
    public void close()
    {
        synchronized (this)
        {
            if (!uses.close())
            {
                return;
            }
            wait.close();
            memory.close();
            final int errno = context.library().calls().ibv_destroy_comp_channel(handle);
            context.uses().release();
            if (errno != 0)
            {
                throw IbvErrors.failure("destroy_comp_channel", errno, "device=" + context.device().name());
            }
        }
    }

    long handle()
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
     * Makes a completion queue known; before it is armed for the first time.
     */
    synchronized void add(final ChannelQueue queue)
    {
        queues.put(queue.handle(), queue);
    }

    /**
     * Forgets a completion queue that is being destroyed. Under this channel's lock.
     */
    void remove(final ChannelQueue queue)
    {
        queues.remove(queue.handle());
    }

    /**
     * Takes an event, and notes at its queue that it is to be acknowledged. A queue is destroyed under the same lock,
     * since libibverbs looks into the queue of an event.
     */
    private synchronized CompletionQueue nextEvent()
    {
        if (uses.isClosed())
        {
            return null;
        }
        final long base = memory.range().address();
        final int result = context.library().calls()
            .ibv_get_cq_event(handle, base + QUEUE_OFFSET, base + COOKIE_OFFSET);
        if (result != 0)
        {
            final int errno = context.library().errno();
            if (errno == Errno.EAGAIN || errno == Errno.EINTR)
            {
                return null;
            }
            throw IbvErrors.failure("get_cq_event", errno, "device=" + context.device().name());
        }
        final long of = UnsafeApi.getLong(base + QUEUE_OFFSET);
        final ChannelQueue queue = queues.get(of);
        if (queue == null)
        {
            // Of a queue whose making is not finished; unacknowledged, it would keep the queue from being destroyed.
            context.library().calls().ibv_ack_cq_events(of, 1);
            return null;
        }
        queue.onEvent();
        return queue;
    }
}
