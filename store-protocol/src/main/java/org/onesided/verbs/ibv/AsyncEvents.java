package org.onesided.verbs.ibv;

import java.util.function.LongFunction;
import org.agrona.UnsafeApi;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.posix.Posix;

/**
 * Asynchronous events of an open device (ibv_get_async_event(3)). Thread-safe; it ends its use of the
 * device when {@link #close} was called and all threads have returned from {@link #await}.
 */
final class AsyncEvents implements AutoCloseable
{
    private static final AsyncEvent.Type[] TYPES = AsyncEvent.Type.values();

    private final IbvLibrary library;
    private final String deviceName;
    private final long context;
    private final EventWait wait;
    private volatile boolean over;

    /**
     * @param library    that has the context.
     * @param deviceName for messages.
     * @param context    address of the {@code ibv_context}.
     */
    AsyncEvents(final IbvLibrary library, final String deviceName, final long context)
    {
        this.library = library;
        this.deviceName = deviceName;
        this.context = context;
        final int fd = UnsafeApi.getInt(context + ContextDescriptor.ASYNC_FD_OFFSET);
        Posix.doNotBlock(fd);
        wait = new EventWait(fd);
    }

    /**
     * @param timeoutNs how long to wait at most; 0 only looks.
     * @param queues    finds a completion queue by the address of its {@code ibv_cq}, or null.
     * @return the event, or null if none came in time, {@link #wakeUp} was called, or waiting is over.
     */
    AsyncEvent await(final long timeoutNs, final LongFunction<CompletionQueue> queues)
    {
        final long startNs = System.nanoTime();
        try (NativeArray memory = new NativeArray(AsyncEventDescriptor.LENGTH))
        {
            while (true)
            {
                final AsyncEvent event = take(memory.range().address(), queues);
                final long leftNs = timeoutNs - (System.nanoTime() - startNs);
                if (event != null || wait.takeWakeUp() || over || leftNs <= 0)
                {
                    return event;
                }
                // Older kernels say EAGAIN for ever instead.
                if (!wait.await(leftNs))
                {
                    throw IbvErrors.failure("get_async_event", Errno.EIO, "device=" + deviceName);
                }
            }
        }
    }

    /**
     * Ends a waiting, or the next one.
     */
    void wakeUp()
    {
        wait.wakeUp();
    }

    /**
     * Ends all waiting for good.
     */
    @Override
    public void close()
    {
        over = true;
        wait.close();
    }

    /**
     * Takes one event, and acknowledges it at once: until then, what it concerns cannot be destroyed, so its structure
     * is good to read.
     */
    private AsyncEvent take(final long event, final LongFunction<CompletionQueue> queues)
    {
        if (library.calls().ibv_get_async_event(context, event) != 0)
        {
            final int errno = library.errno();
            if (errno == Errno.EAGAIN || errno == Errno.EINTR)
            {
                return null;
            }
            throw IbvErrors.failure("get_async_event", errno, "device=" + deviceName);
        }
        try
        {
            final int type = UnsafeApi.getInt(event + AsyncEventDescriptor.EVENT_TYPE_OFFSET);
            // A newer library's event that has no name here concerns nothing that is used here; there may be more.
            return type < 0 || type >= TYPES.length ? null : translate(TYPES[type], event, queues);
        }
        finally
        {
            library.calls().ibv_ack_async_event(event);
        }
    }

    private static AsyncEvent translate(
        final AsyncEvent.Type type, final long event, final LongFunction<CompletionQueue> queues)
    {
        final long element = UnsafeApi.getLong(event + AsyncEventDescriptor.ELEMENT_OFFSET);
        return switch (type)
        {
            case CQ_ERR -> new AsyncEvent(type, 0, queues.apply(element));
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, COMM_EST, SQ_DRAINED, PATH_MIG, PATH_MIG_ERR,
                QP_LAST_WQE_REACHED ->
                new AsyncEvent(type, UnsafeApi.getInt(element + QueuePairDescriptor.QP_NUM_OFFSET));
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE ->
                new AsyncEvent(type, UnsafeApi.getInt(event + AsyncEventDescriptor.ELEMENT_OFFSET));
            case DEVICE_FATAL, SRQ_ERR, SRQ_LIMIT_REACHED, WQ_FATAL -> new AsyncEvent(type, 0);
            // The library's event of this number is one that has no name here.
            case PEER_REFUSED -> null;
        };
    }
}
