package org.onesided.client;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.callback.BlockedCallback;
import org.onesided.client.callback.Callbacks;
import org.onesided.client.callback.Delivery;
import org.onesided.client.callback.LeftThreads;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.LifeLine;
import org.onesided.verbs.ThreadEnd;
import org.onesided.waiting.Pause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries a client's asynchronous operations out, on a thread of its own: it takes what callers queue, keeps as much of
 * it in flight as its session allows, and sleeps when there is nothing; after a while of that the thread ends, until
 * there is something again. Lookups pass writes that have to wait, so that a stopped server keeps none of them.
 * {@link #submit} and {@link #close} are safe to call from any thread.
 *
 * <p><b>Callbacks</b> run outside of all code of the session, and without the turn, the lock that a thread holds while
 * it carries operations out. So a callback may do anything. One that does not return soon loses its thread the office:
 * another thread takes the turn and goes on ({@link #look}), at most {@value #MAX_STUCK} times; then operations end
 * at their deadlines at least. A close takes the turn as well and ends the session itself, since a thread in a callback
 * touches nothing of the session any more.
 */
final class AsyncWorker implements LifeLine.Watched, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AsyncWorker.class);
    /** A callback that waits for so long has lost its thread the office. */
    private static final long BLOCKED_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** The same for one that seems to run: it may only want for a processor. */
    private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** The watch goes on for so long after the last callback. */
    private static final long WATCH_NS = TimeUnit.SECONDS.toNanos(1);
    /** Threads that are replaced while they are in callbacks. */
    private static final int MAX_STUCK = 4;
    private static final long TURN_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A thread in the session's code sees a close soon; what takes longer is an attempt to connect. */
    private static final long INTERRUPT_NS = TimeUnit.MILLISECONDS.toNanos(300);
    /** Callbacks that run on when all futures are done get so long. */
    private static final long GRACE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** One thread's time in office: it carries the operations out. */
    private final class Carrier implements Runnable
    {
        private final Thread thread = new Thread(this, threadName);
        /** What it tells the end of, or null. */
        private volatile AsyncOperation telling;
        /** For the watch alone. */
        private AsyncOperation seen;
        private long seenNs;

        private Carrier()
        {
            thread.setDaemon(true);
        }

        @Override
        public void run()
        {
            try
            {
                carryOut(this);
            }
            finally
            {
                stuck.remove(this);
                threads.remove(thread);
            }
        }
    }

    private final ClientContext context;
    private final String threadName;
    private final boolean isSpare;
    private final IdleTurns idle;
    private final Callbacks callbacks;
    private final BlockedCallback blocked;
    private final AsyncWork work;
    /** Held by the thread that carries operations out, but not while it tells their ends. */
    private final ReentrantLock turn = new ReentrantLock();
    private final Set<Carrier> stuck = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    /** The thread in office, or null while there is nothing to do. Changed by who holds this object's monitor. */
    private volatile Carrier carrier;
    private volatile boolean isAsleep;
    private volatile boolean isClosed;
    /** {@link #finish} collects what was not told, for the last time. */
    private volatile boolean isFinishing;
    /** What is told at the end, once it is known. */
    private volatile Delivery last;
    /** For the watch alone. */
    private long activeNs;

    /**
     * @param kind     of its threads, the beginning of their name.
     * @param executor of callbacks, or null.
     * @param isSpare  whether other sessions do as well: its own ends with its thread, and is asked for once.
     */
    AsyncWorker(final ClientContext context, final String kind, final Executor executor, final boolean isSpare)
    {
        this.context = context;
        this.isSpare = isSpare;
        threadName = kind + context.address();
        work = new AsyncWork(context, isSpare, () -> isClosed);
        idle = new IdleTurns(context.configuration().waiting().spinNs());
        callbacks = new Callbacks(executor, "onesided-async-late " + context.address());
        blocked = new BlockedCallback(context.addressText());
        context.lifeLine().watch(this);
    }

    /** Queues an operation; waits while there is no room, until its deadline. */
    void submit(final AsyncOperation operation)
    {
        final Carrier now = carrier;
        if (isClosed)
        {
            operation.failUntaken(work.closed(operation));
            return;
        }
        if (now != null && Thread.currentThread() == now.thread)
        {
            work.offerOwn(operation);
        }
        else
        {
            int attempts = 0;
            while (!work.offer(operation) && !operation.isTold())
            {
                if (isClosed || operation.isLate())
                {
                    operation.failUntaken(isClosed ? work.closed(operation) : work.late(operation));
                    return;
                }
                wakeUp(operation);
                Pause.after(attempts++);
            }
        }
        VarHandle.fullFence();
        wakeUp(operation);
        if (isClosed)
        {
            // The thread may have looked for the last time. If it took this one, it tells its end.
            operation.failUntaken(work.closed(operation));
        }
    }

    /** Whether it has a session that is connected. */
    boolean isAttached()
    {
        return work.isAttached();
    }

    /** Ends all that is under way, and the threads: {@link #close(long, Thread)} and {@link #awaitEnd}. */
    @Override
    public void close()
    {
        final long endNs = System.nanoTime() + ThreadEnd.PATIENCE_NS;
        close(endNs, Thread.currentThread());
        awaitEnd(endNs, Thread.currentThread());
    }

    /**
     * Ends all that is under way, and begins to tell that its futures fail. Runs no callbacks.
     *
     * @param endNs  when to give up.
     * @param caller is not interrupted: a callback may close its client.
     */
    void close(final long endNs, final Thread caller)
    {
        try
        {
            end(endNs, caller);
        }
        finally
        {
            context.lifeLine().unwatch(this);
        }
        if (last == null)
        {
            final Carrier now = carrier;
            LOGGER.error("asynchronous operations do not end, their session is left: server={} {}", context.address(),
                now == null ? "" : "at=" + ThreadEnd.stack(now.thread));
            return;
        }
        last.begin();
    }

    private void end(final long endNs, final Thread caller)
    {
        isClosed = true;
        VarHandle.fullFence();
        final long startNs = System.nanoTime();
        boolean isInterrupted = false;
        boolean isOver = false;
        while (last == null && !isOver)
        {
            wakeUp(null);
            if (tryTakeTurn())
            {
                try
                {
                    finish();
                }
                finally
                {
                    turn.unlock();
                }
            }
            else if (!isInterrupted && System.nanoTime() - startNs > INTERRUPT_NS)
            {
                isInterrupted = true;
                interrupt(caller);
            }
            isOver = System.nanoTime() - endNs >= 0;
        }
    }

    /**
     * Waits for all futures to be done, and for the threads to end, but for those that callbacks keep: they end when
     * these return. After {@link #close(long, Thread)}, and after all that callbacks must not keep from its end: where
     * no thread can be started, this one runs them.
     *
     * @param endNs  when to wait no longer than moments.
     * @param caller is not waited for: a callback may close its client.
     */
    void awaitEnd(final long endNs, final Thread caller)
    {
        final Delivery rest = last;
        if (rest != null)
        {
            final long graceNs = System.nanoTime() + GRACE_NS;
            rest.complete(graceNs - endNs > 0 ? graceNs : endNs);
            LeftThreads.await(threads, caller, context.addressText());
        }
    }

    private boolean tryTakeTurn()
    {
        try
        {
            return turn.tryLock(TURN_WAIT_NS, TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException e)
        {
            // The close goes on, and is bounded.
            return turn.tryLock();
        }
    }

    /** Ends attempts to connect. */
    private void interrupt(final Thread caller)
    {
        final Carrier now = carrier;
        if (now != null && now.thread != caller && now.telling == null)
        {
            now.thread.interrupt();
        }
    }

    /**
     * Replaces a thread that is stuck in a callback, and ends operations whose time is up meanwhile. Called by the life
     * line's thread; takes no longer than it takes to start threads.
     */
    @Override
    public boolean look(final long nowNs)
    {
        final Carrier now = carrier;
        final AsyncOperation telling = now == null ? null : now.telling;
        if (telling != null)
        {
            activeNs = nowNs;
            if (telling != now.seen)
            {
                now.seen = telling;
                now.seenNs = nowNs;
            }
            else if (nowNs - now.seenNs >= BLOCKED_NS)
            {
                replace(now, telling, nowNs);
            }
        }
        if (callbacks.tellLate())
        {
            activeNs = nowNs;
        }
        return nowNs - activeNs < WATCH_NS;
    }

    private void replace(final Carrier now, final AsyncOperation telling, final long nowNs)
    {
        if (!turn.tryLock())
        {
            return;
        }
        try
        {
            if (carrier != now || now.telling != telling || isClosed)
            {
                return;
            }
            final boolean isBusy = now.thread.getState() == Thread.State.RUNNABLE;
            if (stuck.size() < MAX_STUCK && (!isBusy || nowNs - now.seenNs >= BUSY_NS))
            {
                synchronized (this)
                {
                    start(now);
                    stuck.add(now);
                }
                blocked.warn(now.thread, telling, nowNs - now.seenNs);
            }
            else
            {
                expire();
            }
        }
        catch (final OutOfMemoryError e)
        {
            LOGGER.error("no thread can be started in place of one that a callback keeps", e);
            expire();
        }
        finally
        {
            turn.unlock();
        }
    }

    /** Ends what is late, in the turn; callbacks may block, so other threads are given the ends to tell. */
    private void expire()
    {
        work.expire();
        callbacks.takeLate(work.ended());
    }

    private void carryOut(final Carrier me)
    {
        try
        {
            hold(me);
        }
        finally
        {
            final Delivery rest = last;
            if (rest != null)
            {
                rest.complete(System.nanoTime());
            }
        }
    }

    /** Takes the turn, and is in office. */
    private void hold(final Carrier me)
    {
        turn.lock();
        try
        {
            while (carrier == me && !isClosed)
            {
                try
                {
                    turn(me);
                }
                catch (final RuntimeException | Error e)
                {
                    LOGGER.error("asynchronous operations failed, others go on", e);
                    work.failBeginning(e.toString());
                    work.endSession();
                }
            }
            if (isSpare && carrier == null && !isClosed)
            {
                work.endSession();
            }
        }
        finally
        {
            try
            {
                if (carrier == me)
                {
                    // An error while dealing with another one ends the thread as a close does.
                    isClosed = true;
                    VarHandle.fullFence();
                    finish();
                }
            }
            finally
            {
                turn.unlock();
            }
        }
    }

    /** Ends the session, in the turn, and all that was begun or queued; once. */
    private void finish()
    {
        if (last != null)
        {
            return;
        }
        // Of attempts to connect; the session takes leave of the server now.
        final boolean isInterrupted = Thread.interrupted();
        try
        {
            work.failBeginning("thread ends");
            work.endSession();
        }
        finally
        {
            work.failQueued();
            synchronized (this)
            {
                carrier = null;
            }
            isFinishing = true;
            VarHandle.fullFence();
            final List<AsyncOperation> left = new ArrayList<>(work.ended());
            left.addAll(callbacks.untold());
            left.removeIf(AsyncOperation::isTold);
            last = new Delivery(left, callbacks.executor(), "onesided-async-end " + context.address());
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void turn(final Carrier me)
    {
        final int count = work.begin() + work.poll();
        if (!work.ended().isEmpty())
        {
            idle.end();
            tellEnded(me);
        }
        else if (count > 0)
        {
            idle.end();
        }
        else
        {
            rest(me);
        }
    }

    /** Tells what has ended, without the turn; this thread may have lost its office when it comes back. */
    private void tellEnded(final Carrier me)
    {
        turn.unlock();
        try
        {
            while (carrier == me)
            {
                final AsyncOperation operation = work.ended().poll();
                if (operation == null)
                {
                    return;
                }
                final boolean isFirst = me.telling == null;
                me.telling = operation;
                if (isFirst)
                {
                    // After that, so that who looks for the last time sees it.
                    context.lifeLine().lookSoon();
                }
                callbacks.tell(operation);
                // The thread that finishes sets this before it looks for what was handed over and not told.
                VarHandle.fullFence();
                if (isFinishing)
                {
                    Callbacks.tellHere(operation);
                }
            }
        }
        finally
        {
            me.telling = null;
            if (!isClosed)
            {
                // A callback's interrupt is not for the session.
                Thread.interrupted();
            }
            turn.lock();
        }
    }

    private void rest(final Carrier me)
    {
        final long nowNs = System.nanoTime();
        idle.add(nowNs);
        isAsleep = true;
        VarHandle.fullFence();
        if (!work.awaitProgress())
        {
            final long remainingNs = idle.remainingNs(nowNs);
            if (remainingNs <= 0)
            {
                retire(me);
            }
            else if (!idle.spinAgain(nowNs) && work.isQueueEmpty() && !isClosed)
            {
                LockSupport.parkNanos(this, remainingNs);
            }
        }
        isAsleep = false;
    }

    /** Leaves the office, unless there is something to do after all. The session stays, for the next thread. */
    private synchronized void retire(final Carrier me)
    {
        carrier = null;
        VarHandle.fullFence();
        // Who queues sees that nobody is there, or is seen here.
        if (!work.isQueueEmpty() || isClosed)
        {
            carrier = me;
        }
    }

    /** @param operation that fails if no thread can be started for it; null to start none. */
    private void wakeUp(final AsyncOperation operation)
    {
        final Carrier now = carrier;
        if (now == null && operation != null)
        {
            startFor(operation);
        }
        else if (now != null && isAsleep)
        {
            LockSupport.unpark(now.thread);
            work.wakeUp();
        }
    }

    private void startFor(final AsyncOperation operation)
    {
        try
        {
            synchronized (this)
            {
                if (carrier == null && !isClosed)
                {
                    start(null);
                }
            }
        }
        catch (final OutOfMemoryError e)
        {
            operation.failUntaken(new StoreDisconnectedException(
                "no thread can be started for it, see the limits of threads: " + e.getMessage(),
                FailureContext.unsent(operation.name(), context.addressText())));
        }
    }

    /** Puts another thread in office, in place of one or of none. For who holds this object's monitor. */
    private void start(final Carrier before)
    {
        final Carrier next = new Carrier();
        threads.add(next.thread);
        carrier = next;
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
                carrier = before;
                threads.remove(next.thread);
            }
        }
    }
}
