package org.onesided.client;

import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.callback.LeftThreads;
import org.onesided.verbs.ThreadEnd;

/**
 * Those who carry a client's asynchronous operations out, each by a thread of {@link AsyncThreads} while it has one.
 * At most one of them is in office: it starts when there is work, and leaves when there has been none for a while. One
 * that a callback keeps is replaced, and ends when the callback returns. Thread-safe.
 */
final class Carriers
{
    /** One's time in office. */
    final class Carrier implements AsyncThreads.Office, LeftThreads.Left
    {
        private final CountDownLatch end = new CountDownLatch(1);
        /** The thread that runs it, or null. Written under this object's monitor. */
        private volatile Thread thread;
        /** The operation whose end it is telling, or null. */
        private volatile AsyncOperation telling;
        /** Whether it goes on with another thread. For the thread that runs it. */
        private boolean isPaused;

        private Carrier()
        {
        }

        @Override
        public boolean run()
        {
            isPaused = false;
            running.add(this);
            synchronized (this)
            {
                thread = Thread.currentThread();
            }
            final boolean hasWorked = work.test(this);
            isPaused = isInOffice();
            return hasWorked;
        }

        @Override
        public void left()
        {
            synchronized (this)
            {
                thread = null;
                // It was meant for this client, and the thread goes on with another.
                Thread.interrupted();
            }
            running.remove(this);
            if (isPaused)
            {
                execute(this, false);
            }
            else
            {
                replaced.remove(this);
                end.countDown();
            }
        }

        @Override
        public void wakeUp()
        {
            waker.run();
        }

        @Override
        public Thread thread()
        {
            return thread;
        }

        @Override
        public synchronized void interrupt()
        {
            if (thread != null)
            {
                thread.interrupt();
            }
        }

        @Override
        public boolean awaitEnd(final long timeoutNs) throws InterruptedException
        {
            return end.await(timeoutNs, TimeUnit.NANOSECONDS);
        }

        /** What it does, for the log. */
        String stack()
        {
            final Thread now = thread;
            return now == null ? "waits for a thread" : "at=" + ThreadEnd.stack(now);
        }

        AsyncOperation telling()
        {
            return telling;
        }

        /** For the thread itself. */
        void telling(final AsyncOperation operation)
        {
            telling = operation;
        }

        boolean isInOffice()
        {
            return inOffice == this;
        }
    }

    private final AsyncThreads threads;
    private final Predicate<Carrier> work;
    private final Runnable waker;
    private final Runnable onWait;
    private final BooleanSupplier isClosed;
    private final Set<Carrier> replaced = ConcurrentHashMap.newKeySet();
    private final Set<Carrier> running = ConcurrentHashMap.newKeySet();
    /** Null while there is no work. Written under this object's monitor. */
    private volatile Carrier inOffice;

    /**
     * @param threads  that run them.
     * @param work     of one; true if there was any. It ends when the carrier is not in office any more, or another
     *                 client waits for the thread: then it goes on with the next thread.
     * @param waker    wakes the one in office from a sleep.
     * @param onWait   called when one has to wait for a thread.
     * @param isClosed whether none is to start or leave any more; true for good, once it is true.
     */
    Carriers(
        final AsyncThreads threads,
        final Predicate<Carrier> work,
        final Runnable waker,
        final Runnable onWait,
        final BooleanSupplier isClosed)
    {
        this.threads = threads;
        this.work = work;
        this.waker = waker;
        this.onWait = onWait;
        this.isClosed = isClosed;
    }

    /** The one in office, or null. */
    Carrier inOffice()
    {
        return inOffice;
    }

    /** All that have a thread now. */
    Set<Carrier> running()
    {
        return running;
    }

    /** Those that were replaced and have not ended. */
    int replacedCount()
    {
        return replaced.size();
    }

    /**
     * Puts one in office if there is none.
     *
     * @throws OutOfMemoryError if there is no thread, and the system starts none.
     */
    synchronized void start()
    {
        if (inOffice == null && !isClosed.getAsBoolean())
        {
            start(null);
        }
    }

    /**
     * Puts another in office instead of one that a callback keeps.
     *
     * @throws OutOfMemoryError if the system starts no thread; the kept one stays in office.
     */
    synchronized void replace(final Carrier kept)
    {
        start(kept);
        replaced.add(kept);
    }

    /**
     * The one in office leaves, unless there is work after all.
     *
     * @param me      that one.
     * @param hasWork asked after other threads can see that nobody is in office: a thread that queues work sees that,
     *                or its work is seen here.
     */
    synchronized void retire(final Carrier me, final BooleanSupplier hasWork)
    {
        inOffice = null;
        VarHandle.fullFence();
        if (hasWork.getAsBoolean() || isClosed.getAsBoolean())
        {
            inOffice = me;
        }
    }

    /** Nobody is in office any more. */
    synchronized void end()
    {
        inOffice = null;
    }

    private void start(final Carrier before)
    {
        final Carrier next = new Carrier();
        inOffice = next;
        boolean isStarted = false;
        try
        {
            execute(next, before != null);
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                inOffice = before;
            }
        }
    }

    private void execute(final Carrier carrier, final boolean isUrgent)
    {
        if (threads.execute(carrier, isUrgent))
        {
            onWait.run();
        }
    }
}
