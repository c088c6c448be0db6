package org.onesided.client;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.onesided.client.Carriers.Carrier;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.callback.BlockedCallback;
import org.onesided.client.callback.Callbacks;
import org.onesided.client.callback.Delivery;
import org.onesided.client.callback.LeftThreads;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.session.ClientContext;
import org.onesided.verbs.ThreadEnd;
import org.onesided.waiting.Pause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries a client's asynchronous operations out, on one thread at a time: it takes the operations that callers queue,
 * keeps as many in flight as its session allows, and sleeps when there are none; after a longer sleep, or when another
 * client waits for the thread, it leaves the thread, and the next operation asks for one ({@link Carriers},
 * {@link AsyncThreads}). Lookups overtake writes that have to wait, so that a stopped server delays no lookup.
 * {@link #submit} and {@link #close} are safe to call from any thread.
 *
 * <p><b>Callbacks</b> run outside all code of the session, and without the turn, the lock that a thread holds while it
 * carries operations out. So a callback may do anything. If it does not return soon, another thread takes the turn and
 * goes on ({@link CarrierWatch}). A close takes the turn as well and ends the session itself, since a thread in a
 * callback does not use the session any more.
 *
 * <p>Agrona's {@code AgentRunner} does not fit: it ties an agent to one thread for life.
 */
final class AsyncWorker implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AsyncWorker.class);
    private static final long TURN_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A thread in the session's code notices a close within this time, unless it is connecting. */
    private static final long INTERRUPT_NS = TimeUnit.MILLISECONDS.toNanos(300);
    /** How long a close waits for callbacks after all futures are done. */
    private static final long GRACE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ClientContext context;
    private final boolean isSpare;
    private final IdleTurns idle;
    private final Callbacks callbacks;
    private final AsyncThreads threads;
    private final Carriers carriers;
    private final CarrierWatch watch;
    private final AsyncDeadlines deadlines;
    private final AsyncWork work;
    /** Held by the thread that carries operations out, but not while it tells their ends. */
    private final ReentrantLock turn = new ReentrantLock();
    private volatile boolean isAsleep;
    private volatile boolean isClosed;
    /** Set before {@link #finish} collects the operations that were not told. */
    private volatile boolean isFinishing;
    /** The operations to tell after the end; null until {@link #finish}. */
    private volatile Delivery last;

    /**
     * @param threads  that carry them out; closed once with the worker.
     * @param executor of callbacks, or null.
     * @param isSpare  whether other sessions do as well: its own ends with its thread, and is asked for once.
     */
    AsyncWorker(
        final ClientContext context, final AsyncThreads threads, final @Nullable Executor executor,
        final boolean isSpare)
    {
        this.context = context;
        this.threads = threads;
        this.isSpare = isSpare;
        deadlines = new AsyncDeadlines(context);
        work = new AsyncWork(context, isSpare, deadlines::add, threads::areWanted, () -> isClosed);
        idle = new IdleTurns(context.configuration().waiting().spinNs());
        callbacks = new Callbacks(executor, "onesided-async-late " + context.address());
        carriers = new Carriers(
            threads, this::carryOut, () -> wakeUp(null), this::watchQueue, () -> isClosed);
        watch = new CarrierWatch(threads,
            carriers, turn, work, callbacks, new BlockedCallback(context.addressText()), () -> isClosed);
        context.lifeLine().watch(watch);
        context.lifeLine().watch(deadlines);
    }

    /** Queues an operation; waits while there is no room, until its deadline. */
    void submit(final AsyncOperation operation)
    {
        final Carrier now = carriers.inOffice();
        if (isClosed)
        {
            operation.failUntaken(work.closed(operation));
            return;
        }
        if (now != null && Thread.currentThread() == now.thread())
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
            // The thread may have taken its last operation. If it took this one, it tells its end.
            operation.failUntaken(work.closed(operation));
        }
    }

    /** Ends operations that have less time than others, if this worker does not. */
    AsyncDeadlines deadlines()
    {
        return deadlines;
    }

    /** Has those looked after that were submitted so far: others will have more time. */
    void watchQueued()
    {
        work.watchQueued();
    }

    /** Whether it has a session that is connected. */
    boolean isAttached()
    {
        return work.isAttached();
    }

    /** Ends all operations and the threads: {@link #close(long, Thread)} and {@link #awaitEnd}. */
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
            context.lifeLine().unwatch(watch);
            context.lifeLine().unwatch(deadlines);
        }
        if (last == null)
        {
            final Carrier now = carriers.inOffice();
            LOGGER.error("asynchronous operations do not end, their session is left: server={} {}", context.address(),
                now == null ? "" : now.stack());
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
            LeftThreads.await(carriers.running(), caller, context.addressText());
        }
        threads.close();
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

    /** Interrupts an attempt to connect. */
    private void interrupt(final Thread caller)
    {
        final Carrier now = carriers.inOffice();
        if (now != null && now.thread() != caller && now.telling() == null)
        {
            now.interrupt();
        }
    }

    private boolean carryOut(final Carrier me)
    {
        try
        {
            return hold(me);
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

    /** Holds the turn while this thread is in office and no other client waits for it; whether there was work. */
    private boolean hold(final Carrier me)
    {
        boolean hasWorked = false;
        boolean isPaused = false;
        turn.lock();
        try
        {
            while (me.isInOffice() && !isClosed && !isPaused)
            {
                try
                {
                    hasWorked |= turn(me);
                }
                catch (final RuntimeException | Error e)
                {
                    LOGGER.error("asynchronous operations failed, others go on", e);
                    work.failBeginning(e.toString());
                    work.endSession();
                }
                isPaused = threads.areWanted();
            }
            if (isSpare && carriers.inOffice() == null && !isClosed)
            {
                work.endSession();
            }
            return hasWorked;
        }
        finally
        {
            try
            {
                if (me.isInOffice() && !isPaused)
                {
                    // An error during the handling of another ends the worker as a close does.
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

    /** Ends the session and all operations, in the turn; once. */
    private void finish()
    {
        if (last != null)
        {
            return;
        }
        // An interrupt was meant for an attempt to connect, and would end the session's farewell to the server.
        final boolean isInterrupted = Thread.interrupted();
        try
        {
            work.failBeginning("thread ends");
            work.endSession();
        }
        finally
        {
            work.failQueued();
            carriers.end();
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

    /** Whether there was anything to do. */
    private boolean turn(final Carrier me)
    {
        final int count = work.begin() + work.poll();
        if (!work.ended().isEmpty())
        {
            idle.end();
            tellEnded(me);
            return true;
        }
        if (count > 0)
        {
            idle.end();
            return true;
        }
        rest(me);
        return false;
    }

    /** Tells the ends of operations, without the turn. Another thread may be in office afterwards. */
    private void tellEnded(final Carrier me)
    {
        turn.unlock();
        try
        {
            while (me.isInOffice())
            {
                final AsyncOperation operation = work.ended().poll();
                if (operation == null)
                {
                    return;
                }
                final boolean isFirst = me.telling() == null;
                me.telling(operation);
                if (isFirst)
                {
                    // After the write above, so that the last look of the watch sees it.
                    context.lifeLine().lookSoon();
                }
                callbacks.tell(operation);
                // The finishing thread sets isFinishing before it collects the operations that were not told.
                VarHandle.fullFence();
                if (isFinishing)
                {
                    Callbacks.tellHere(operation);
                }
            }
        }
        finally
        {
            me.telling(null);
            if (!isClosed)
            {
                // A callback's interrupt must not reach the session.
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
        if (threads.areWanted())
        {
            if (!work.isUnderWay())
            {
                carriers.retire(me, () -> !work.isQueueEmpty());
            }
        }
        else if (!work.awaitProgress())
        {
            final long remainingNs = idle.remainingNs(nowNs);
            if (remainingNs <= 0)
            {
                carriers.retire(me, () -> !work.isQueueEmpty());
            }
            else if (!idle.spinAgain(nowNs) && work.isQueueEmpty() && !isClosed && !threads.areWanted())
            {
                LockSupport.parkNanos(this, remainingNs);
            }
        }
        isAsleep = false;
    }

    /** Has somebody notice if no thread becomes free. After a close, the life line may have ended. */
    private void watchQueue()
    {
        if (!isClosed)
        {
            context.lifeLine().lookSoon();
        }
    }

    /** @param operation that fails if no thread can be started for it; null to start none. */
    private void wakeUp(final @Nullable AsyncOperation operation)
    {
        final Carrier now = carriers.inOffice();
        if (now == null && operation != null)
        {
            startFor(operation);
        }
        else if (now != null && isAsleep)
        {
            LockSupport.unpark(now.thread());
            work.wakeUp();
        }
    }

    private void startFor(final AsyncOperation operation)
    {
        try
        {
            carriers.start();
        }
        catch (final OutOfMemoryError e)
        {
            operation.failUntaken(new StoreDisconnectedException(
                "no thread can be started for it, see the limits of threads: " + e.getMessage(),
                FailureContext.unsent(operation.name(), context.addressText())));
        }
    }
}
