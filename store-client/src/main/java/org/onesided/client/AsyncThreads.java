package org.onesided.client;

import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.onesided.verbs.ThreadEnd;
import org.onesided.waiting.Pause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that carry asynchronous operations out, a few for all clients of the JVM: more threads than processors would
 * only take turns on these. A client that has work waits in a queue for a thread. A thread stays with its client,
 * asleep while there is nothing to do, until another client waits; then clients take turns.
 *
 * <p>An operation may keep its thread, as one for a stopped server does, or a callback. So no client waits for long: if
 * no thread was free for {@value #STUCK_MS} ms, each client in the queue gets another thread, which ends as soon as the
 * usual number is free again. Thread-safe.
 */
final class AsyncThreads implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AsyncThreads.class);
    private static final int MAX_SHARED = 4;
    private static final long STUCK_MS = 250;
    /** A thread that no client needs ends after this time. */
    private static final long KEEP_MS = 1_000;
    private static final Object SHARED_LOCK = new Object();
    /** Of all clients, or null while there are none. */
    private static AsyncThreads shared;

    /** What a thread does for one client. */
    interface Office
    {
        /**
         * Works until there is nothing to do, or another client waits for a thread.
         *
         * @return whether there was anything to do.
         */
        boolean run();

        /** Its thread has left it. */
        void left();

        /** Wakes its thread if that sleeps, since another client waits for it. */
        void wakeUp();
    }

    /** A thread. */
    private final class Worker implements Runnable
    {
        private final Thread thread;
        private volatile Office office;
        /** Whether it has not taken an office yet. Guarded, as the next, by the monitor of the threads. */
        private boolean isFresh = true;
        /** When it took its office. */
        private long sinceNs;

        private Worker(final String name)
        {
            thread = new Thread(this, name);
            thread.setDaemon(true);
        }

        @Override
        public void run()
        {
            int fruitless = 0;
            try
            {
                while (take(this))
                {
                    fruitless = serve() ? 0 : fruitless + 1;
                    if (fruitless > queued)
                    {
                        // All clients that take turns wait for their servers.
                        Pause.after(fruitless - queued);
                    }
                }
            }
            finally
            {
                workers.remove(this);
            }
        }

        private boolean serve()
        {
            try
            {
                return office.run();
            }
            catch (final RuntimeException | Error e)
            {
                LOGGER.error("asynchronous operations of a client failed, others go on", e);
                return true;
            }
            finally
            {
                final Office before = office;
                office = null;
                before.left();
            }
        }
    }

    private final String name;
    private final int usual;
    private final Queue<Office> queue = new ArrayDeque<>();
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    /** Length of the queue. */
    private volatile int queued;
    /** Threads that have not ended. This object's monitor guards all fields from here to {@link #seenNs}. */
    private int count;
    /** Threads that wait for work. */
    private int idle;
    /** Threads started so far; the number in the next one's name. */
    private int started;
    /** Threads that were started and have not taken an office yet. */
    private int fresh;
    private boolean isClosed;
    /** How many clients left the queue for a thread, and what that was when it was looked at last. */
    private long taken;
    private long seenTaken;
    private long seenNs;
    /** Guarded by {@link #SHARED_LOCK}. */
    private int users = 1;

    /**
     * @param name  of the threads; where there may be several, a number follows.
     * @param usual number of threads, unless these are kept.
     */
    AsyncThreads(final String name, final int usual)
    {
        this.name = name;
        this.usual = usual;
    }

    /** The threads of all clients, for one more, which closes them once. */
    static AsyncThreads share()
    {
        synchronized (SHARED_LOCK)
        {
            if (shared == null)
            {
                shared = new AsyncThreads(
                    "onesided-async ", Math.min(MAX_SHARED, Runtime.getRuntime().availableProcessors()));
            }
            else
            {
                shared.users++;
            }
            return shared;
        }
    }

    /** A thread for one client alone. */
    static AsyncThreads ofOne(final String name)
    {
        return new AsyncThreads(name, 1);
    }

    /** Whether a client waits for a thread. */
    boolean areWanted()
    {
        return queued > 0;
    }

    /**
     * Runs something as soon as a thread is free.
     *
     * @param office   of a client; in the queue once at a time.
     * @param isUrgent whether to start another thread if none is free.
     * @return whether none is free, so that somebody should {@link #look}.
     * @throws OutOfMemoryError if there is no thread and the system starts none; the office is not run then.
     */
    boolean execute(final Office office, final boolean isUrgent)
    {
        synchronized (this)
        {
            queue.add(office);
            queued = queue.size();
            if (idle >= queued)
            {
                notify();
                return false;
            }
            if (count < usual || isUrgent)
            {
                tryStart(office);
                return false;
            }
        }
        // A thread that goes to sleep sees the queue, or is seen asleep here.
        VarHandle.fullFence();
        for (final Worker worker : workers)
        {
            final Office other = worker.office;
            if (other != null)
            {
                other.wakeUp();
            }
        }
        return true;
    }

    /**
     * Gives each waiting client a thread, if none was free for long. To be called now and then while clients wait.
     *
     * @param nowNs the time.
     * @return whether to call it again soon.
     */
    synchronized boolean look(final long nowNs)
    {
        if (taken != seenTaken || queue.isEmpty())
        {
            seenTaken = taken;
            seenNs = nowNs;
        }
        else if (nowNs - seenNs >= TimeUnit.MILLISECONDS.toNanos(STUCK_MS))
        {
            seenNs = nowNs;
            for (int i = queue.size() - fresh; i > 0; i--)
            {
                start();
            }
        }
        return !queue.isEmpty();
    }

    /** Ends one client's use. The last client ends the threads, but for those that callbacks keep, and waits for it. */
    @Override
    public void close()
    {
        synchronized (SHARED_LOCK)
        {
            users--;
            if (users > 0)
            {
                return;
            }
            if (this == shared)
            {
                shared = null;
            }
        }
        synchronized (this)
        {
            isClosed = true;
            notifyAll();
        }
        for (final Worker worker : workers)
        {
            if (worker.office == null && worker.thread != Thread.currentThread())
            {
                final String stuck = ThreadEnd.await(worker.thread, ThreadEnd.PATIENCE_NS);
                if (stuck != null && worker.office == null)
                {
                    LOGGER.error("thread of asynchronous operations is left: {}", stuck);
                }
            }
        }
    }

    /** Gives a thread its next client; false if the thread is to end. */
    private synchronized boolean take(final Worker worker)
    {
        final long beginNs = System.nanoTime();
        if (worker.isFresh)
        {
            worker.isFresh = false;
            fresh--;
        }
        else if (count > usual && !isNeeded(worker, beginNs))
        {
            count--;
            return false;
        }
        while (queue.isEmpty())
        {
            final long leftNs = beginNs + TimeUnit.MILLISECONDS.toNanos(KEEP_MS) - System.nanoTime();
            if (isClosed || count > usual || leftNs <= 0)
            {
                count--;
                return false;
            }
            idle++;
            try
            {
                TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            }
            catch (final InterruptedException e)
            {
                // It was meant for a client that this thread has left.
                LOGGER.debug("late interrupt", e);
            }
            finally
            {
                idle--;
            }
        }
        worker.office = queue.remove();
        worker.sinceNs = System.nanoTime();
        queued = queue.size();
        taken++;
        return true;
    }

    /** Whether too few other threads are free of what keeps them. */
    private boolean isNeeded(final Worker worker, final long nowNs)
    {
        int free = 0;
        for (final Worker other : workers)
        {
            final boolean isFree =
                other.office == null || nowNs - other.sinceNs < TimeUnit.MILLISECONDS.toNanos(STUCK_MS);
            free += other != worker && isFree ? 1 : 0;
        }
        return free < usual;
    }

    private void tryStart(final Office office)
    {
        try
        {
            start();
        }
        catch (final OutOfMemoryError e)
        {
            if (count == 0)
            {
                queue.remove(office);
                queued = queue.size();
                throw e;
            }
            LOGGER.debug("no further thread can be started, clients share those that there are", e);
        }
    }

    private void start()
    {
        final Worker worker = new Worker(usual == 1 ? name : name + ++started);
        workers.add(worker);
        boolean isStarted = false;
        try
        {
            worker.thread.start();
            count++;
            fresh++;
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                workers.remove(worker);
            }
        }
    }
}
