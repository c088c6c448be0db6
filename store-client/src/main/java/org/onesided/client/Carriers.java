package org.onesided.client;

import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.onesided.client.callback.AsyncOperation;

/**
 * The threads that carry a client's asynchronous operations out. At most one of them is in office: it starts when there
 * is work, and leaves when there has been none for a while. A thread that a callback keeps is replaced, and ends when
 * the callback returns. Thread-safe.
 */
final class Carriers
{
    /** One thread's time in office. */
    final class Carrier implements Runnable
    {
        private final Thread thread = new Thread(this, threadName);
        /** The operation whose end it is telling, or null. */
        private volatile AsyncOperation telling;

        private Carrier()
        {
            thread.setDaemon(true);
        }

        @Override
        public void run()
        {
            try
            {
                work.accept(this);
            }
            finally
            {
                replaced.remove(this);
                threads.remove(thread);
            }
        }

        Thread thread()
        {
            return thread;
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

    private final String threadName;
    private final Consumer<Carrier> work;
    private final BooleanSupplier isClosed;
    private final Set<Carrier> replaced = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    /** Null while there is no work. Written under this object's monitor. */
    private volatile Carrier inOffice;

    /**
     * @param threadName of each thread.
     * @param work       of a thread, until it is not in office any more.
     * @param isClosed   whether no thread is to start or leave any more; true for good, once it is true.
     */
    Carriers(final String threadName, final Consumer<Carrier> work, final BooleanSupplier isClosed)
    {
        this.threadName = threadName;
        this.work = work;
        this.isClosed = isClosed;
    }

    /** The thread in office, or null. */
    Carrier inOffice()
    {
        return inOffice;
    }

    /** All threads that have not ended. */
    Set<Thread> threads()
    {
        return threads;
    }

    /** Threads that were replaced and have not ended. */
    int replacedCount()
    {
        return replaced.size();
    }

    /**
     * Puts a thread in office if there is none.
     *
     * @throws OutOfMemoryError if the system starts none.
     */
    synchronized void start()
    {
        if (inOffice == null && !isClosed.getAsBoolean())
        {
            start(null);
        }
    }

    /**
     * Puts another thread in office instead of one that a callback keeps.
     *
     * @throws OutOfMemoryError if the system starts none; the kept one stays in office.
     */
    synchronized void replace(final Carrier kept)
    {
        start(kept);
        replaced.add(kept);
    }

    /**
     * The thread in office leaves, unless there is work after all.
     *
     * @param me      that thread.
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
        threads.add(next.thread);
        inOffice = next;
        boolean isStarted = false;
        try
        {
            next.thread.start();
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                inOffice = before;
                threads.remove(next.thread);
            }
        }
    }
}
