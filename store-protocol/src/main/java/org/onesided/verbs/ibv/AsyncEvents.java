package org.onesided.verbs.ibv;

import java.util.function.LongFunction;
import org.agrona.UnsafeApi;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.posix.PollDescriptor;
import org.onesided.verbs.posix.Posix;

/**
 * Asynchronous events of an open device (ibv_get_async_event(3)), and a pipe that ends waiting for them. Thread-safe;
 * not to be closed while a thread waits.
 */
final class AsyncEvents implements AutoCloseable
{
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final AsyncEvent.Type[] TYPES = AsyncEvent.Type.values();

    private static final int EVENT_OFFSET = 2 * PollDescriptor.LENGTH;
    private static final int SCRATCH_LENGTH = EVENT_OFFSET + AsyncEventDescriptor.LENGTH;

    private final IbvLibrary library;
    private final String deviceName;
    private final long context;
    private final int fd;
    private final int wakeFd;
    private int ringFd;

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
        fd = UnsafeApi.getInt(context + ContextDescriptor.ASYNC_FD_OFFSET);
        Posix.doNotBlock(fd);
        try (NativeArray fds = new NativeArray(2 * Integer.BYTES))
        {
            Posix.pipe(fds.range().address());
            wakeFd = UnsafeApi.getInt(fds.range().address());
            ringFd = UnsafeApi.getInt(fds.range().address() + Integer.BYTES);
        }
    }

    /**
     * @param timeoutNs how long to wait at most.
     * @param queues    finds a completion queue by the address of its {@code ibv_cq}, or null.
     * @return the event, or null if none came in time or {@link #wakeUp} was called.
     */
    AsyncEvent await(final long timeoutNs, final LongFunction<CompletionQueue> queues)
    {
        final long startNs = System.nanoTime();
        try (NativeArray memory = new NativeArray(SCRATCH_LENGTH))
        {
            final long scratch = memory.range().address();
            final long wake = scratch + PollDescriptor.LENGTH;
            prepare(scratch, fd);
            prepare(wake, wakeFd);
            long leftNs = timeoutNs;
            while (true)
            {
                Posix.poll(scratch, 2, milliseconds(leftNs));
                if (UnsafeApi.getShort(scratch + PollDescriptor.RETURNED_EVENTS_OFFSET) != 0)
                {
                    final AsyncEvent event = take(scratch + EVENT_OFFSET, queues);
                    if (event != null)
                    {
                        return event;
                    }
                }
                leftNs = timeoutNs - (System.nanoTime() - startNs);
                if (UnsafeApi.getShort(wake + PollDescriptor.RETURNED_EVENTS_OFFSET) != 0)
                {
                    Posix.read(wakeFd, scratch + EVENT_OFFSET, 1);
                    return null;
                }
                if (leftNs <= 0)
                {
                    return null;
                }
            }
        }
    }

    /**
     * Ends a waiting, or the next one.
     */
    synchronized void wakeUp()
    {
        if (ringFd >= 0)
        {
            try (NativeArray memory = new NativeArray(1))
            {
                // If the pipe is full, there is enough in it to wake everybody.
                Posix.write(ringFd, memory.range().address(), 1);
            }
        }
    }

    /**
     * Ends all waiting for good: the other end of the pipe hears that it is cut.
     */
    synchronized void wakeAll()
    {
        Posix.close(ringFd);
        ringFd = -1;
    }

    @Override
    public void close()
    {
        wakeAll();
        Posix.close(wakeFd);
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
            // A newer library's event that has no name here concerns nothing that is used here.
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
        };
    }

    private static void prepare(final long entry, final int fd)
    {
        UnsafeApi.putInt(entry + PollDescriptor.FD_OFFSET, fd);
        UnsafeApi.putShort(entry + PollDescriptor.EVENTS_OFFSET, (short)Posix.POLLIN);
    }

    private static int milliseconds(final long timeoutNs)
    {
        return timeoutNs <= 0 ? 0 : (int)Math.min((timeoutNs - 1) / NANOS_PER_MILLI + 1, Integer.MAX_VALUE);
    }
}
