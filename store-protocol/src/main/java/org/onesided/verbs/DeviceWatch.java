package org.onesided.verbs;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that waits for a device's asynchronous events and passes them to a listener. Devices that need no such
 * thread get none.
 *
 * <p>Agrona's {@code AgentRunner} does not fit: the thread ends by itself when the device fails, and {@link #close}
 * must wake it repeatedly and within a bound, not by interrupts, which the wait for events does not notice.
 */
public final class DeviceWatch implements AutoCloseable
{
    /** Called on the watching thread; must not wait. A reason is one line that contains the data. */
    public interface Listener
    {
        /**
         * Called for each event, before the methods below.
         *
         * @param event of the device.
         */
        void onEvent(AsyncEvent event);

        /**
         * A queue pair is in the error state.
         *
         * @param number of the queue pair.
         * @param reason why.
         */
        void onQueuePairFailed(int number, String reason);

        /**
         * A completion queue is broken, and all its queue pairs with it.
         *
         * @param queue  that is broken.
         * @param reason why.
         */
        void onCompletionQueueFailed(CompletionQueue queue, String reason);

        /**
         * A port went down.
         *
         * @param port   number of the port.
         * @param reason why, to tell users.
         */
        void onPortDown(int port, String reason);

        /**
         * The device failed, and all that was made from it.
         *
         * @param reason why.
         */
        void onDeviceFailed(String reason);

        /**
         * A method of this listener threw, or the wait for an event failed, without the end of the device. Repeated
         * failures of the wait are reported once. The watch goes on.
         *
         * @param event that the listener was called for; null if the wait failed.
         * @param error what was thrown.
         */
        void onError(AsyncEvent event, Throwable error);
    }

    /** Upper limit of one wait, in case a wake-up is lost. */
    private static final long MAX_WAIT_NS = TimeUnit.SECONDS.toNanos(1);

    private final OpenDevice device;
    private final Listener listener;
    private final Thread thread;
    private volatile boolean isClosed;

    private DeviceWatch(final OpenDevice device, final String threadName, final Listener listener)
    {
        this.device = device;
        this.listener = listener;
        thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    /**
     * Starts to watch a device, if it has events that are worth a thread.
     *
     * @param device     to watch; open until the watch is closed.
     * @param threadName of the thread.
     * @param listener   of its events.
     * @return the watch, which the caller closes before the device.
     */
    public static DeviceWatch start(final OpenDevice device, final String threadName, final Listener listener)
    {
        final DeviceWatch watch = new DeviceWatch(device, threadName, listener);
        if (device.context().hasHardwareEvents())
        {
            watch.thread.start();
        }
        return watch;
    }

    /**
     * Stops the thread and waits for its end.
     *
     * @throws VerbsException with {@code EBUSY} if it does not end in time; then the device stays open, too.
     */
    @Override
    public void close()
    {
        isClosed = true;
        final long endNs = System.nanoTime() + ThreadEnd.PATIENCE_NS;
        String stuck = thread.isAlive() ? "" : null;
        while (stuck != null && System.nanoTime() - endNs < 0)
        {
            // Repeated, because a wait that begins now can miss the first wake-up.
            device.context().wakeUpAsyncWaiter();
            LockSupport.unpark(thread);
            stuck = ThreadEnd.await(thread, MAX_WAIT_NS);
        }
        if (stuck != null)
        {
            device.leave(stuck);
            throw new VerbsException("close_device", Errno.EBUSY, stuck);
        }
    }

    private void run()
    {
        boolean isTold = false;
        while (!isClosed)
        {
            AsyncEvent event = null;
            try
            {
                event = device.context().awaitAsyncEvent(MAX_WAIT_NS);
                isTold = false;
            }
            catch (final RuntimeException | Error e)
            {
                if (isClosed || isEndOfDevice(e))
                {
                    endUnlessClosed(e);
                    return;
                }
                // For example OutOfMemoryError: the next wait may succeed.
                if (!isTold)
                {
                    listener.onError(null, e);
                }
                isTold = true;
                LockSupport.parkNanos(this, MAX_WAIT_NS);
            }
            if (event != null)
            {
                take(event);
            }
        }
    }

    private static boolean isEndOfDevice(final Throwable e)
    {
        return e instanceof VerbsException &&
            (((VerbsException)e).errno() == Errno.EIO || ((VerbsException)e).errno() == Errno.ENODEV);
    }

    private void endUnlessClosed(final Throwable cause)
    {
        if (!isClosed)
        {
            try
            {
                onDeviceFailed("device reports no events any more: device=" + device.name() +
                    " cause=" + cause.getMessage());
            }
            catch (final RuntimeException e)
            {
                listener.onError(null, e);
            }
        }
    }

    private void take(final AsyncEvent event)
    {
        try
        {
            listener.onEvent(event);
            tell(event);
        }
        catch (final RuntimeException | Error e)
        {
            listener.onError(event, e);
        }
    }

    private void tell(final AsyncEvent event)
    {
        switch (event.type())
        {
            case QP_FATAL -> queuePairFailed(event, "device could not go on with the queue pair");
            case QP_REQ_ERR -> queuePairFailed(event, "peer's request was invalid");
            case QP_ACCESS_ERR -> queuePairFailed(event, "peer's access to memory was refused");
            case PATH_MIG_ERR -> queuePairFailed(event, "alternate path could not be taken");
            case CQ_ERR -> listener.onCompletionQueueFailed(
                event.completionQueue(), "completion queue overflowed or failed: event=CQ_ERR device=" + device.name());
            case PORT_ERR ->
            {
                device.lookAgain();
                listener.onPortDown(event.number(), "port down: port=" + event.number() + " device=" + device.name());
            }
            case PORT_ACTIVE, GID_CHANGE, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER -> device.lookAgain();
            case DEVICE_FATAL -> onDeviceFailed("device failed: event=DEVICE_FATAL device=" + device.name());
            default ->
            {
                // Ignored: the object is not in use here, or the event is only informative.
            }
        }
    }

    private void queuePairFailed(final AsyncEvent event, final String what)
    {
        final String reason = event.reason() == null ? what + ":" : what + ", " + event.reason();
        listener.onQueuePairFailed(event.number(), reason + " event=" + event.type() + " qp_num=" + event.number() +
            " device=" + device.name());
    }

    private void onDeviceFailed(final String reason)
    {
        device.fail(reason);
        listener.onDeviceFailed(reason);
    }
}
