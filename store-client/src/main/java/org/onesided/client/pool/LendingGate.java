package org.onesided.client.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongToIntFunction;

/**
 * Lets so many threads have a session at a time. Thread-safe.
 *
 * <p>Order. A thread that comes back takes a free place, though others may wait: handing the place to the one that
 * waits would cost two switches of threads at each operation, which take longer than a lookup. But once in
 * {@link #SLICE_NS}, whoever leaves hands its place to the first that waits, and those wait in the order in which they
 * came. So each gets a place after at most as many slices as there are threads before it, and one, plus the time of one
 * operation; with {@code n} threads that never stop, each works for a slice, and waits for the others' slices.
 *
 * <p>Wake-ups. Only the first that waits looks whether a place is free, now and then, and whether there should be more
 * places ({@link LendingBound}); so none can be lost. Where it finds one that nobody has taken for a while, threads do
 * not come back at once, and for the next operations each place is handed on as it gets free.
 */
final class LendingGate
{
    /** A place is handed to a waiter at least once in this time, however often its last user returns. */
    static final long SLICE_NS = 1_000_000L;
    private static final long FIRST_LOOK_NS = 100_000L;
    private static final long LAST_LOOK_NS = 1_000_000L;
    /** A place that was free for so long has no returning user. */
    private static final long IDLE_NS = 20_000L;
    private static final int HANDED_ON = 64;

    /** A waiting thread. */
    private static final class Waiter
    {
        private final Thread thread = Thread.currentThread();
        private volatile boolean isIn;
    }

    private final AtomicInteger lent = new AtomicInteger();
    private final AtomicLong returns = new AtomicLong();
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private final LendingBound bound;
    private final LongToIntFunction stuck;
    /** Time of a waiter's latest check, so that other threads need not read the clock. */
    private volatile long lookedNs = System.nanoTime();
    private volatile int places;
    /** Since when threads wait; guarded by the waiters. */
    private long freshNs;
    private volatile int waiting;
    private volatile long handedOnNs;
    private volatile long leftNs;
    private volatile int toHandOn;
    private volatile boolean isClosed;

    /**
     * @param stuck says how many hold their place since before a time of {@link #lookedNs}.
     */
    LendingGate(final LendingBound bound, final LongToIntFunction stuck)
    {
        this.bound = bound;
        this.stuck = stuck;
        places = bound.places();
    }

    /** Time of a waiter's latest check, of {@link System#nanoTime()}. */
    long lookedNs()
    {
        return lookedNs;
    }

    /** Number of threads from which on the gate is crowded. It may exceed the present number of places. */
    int crowd()
    {
        return Math.max(places, bound.usual());
    }

    /** Takes a place if one is free. */
    boolean tryEnter()
    {
        int count = lent.get();
        while (count < places)
        {
            if (lent.compareAndSet(count, count + 1))
            {
                return true;
            }
            count = lent.get();
        }
        return false;
    }

    /**
     * Waits for a place.
     *
     * @param endNs until then, a time of {@link System#nanoTime()}.
     * @return whether it has one; not if time is up, or the gate is closed.
     * @throws InterruptedException if the thread is interrupted; it has none then.
     */
    boolean enter(final long endNs) throws InterruptedException
    {
        final Waiter waiter = new Waiter();
        boolean isServed = false;
        try
        {
            isServed = await(waiter, endNs);
            return isServed;
        }
        finally
        {
            if (!isServed)
            {
                giveUp(waiter);
            }
        }
    }

    private boolean await(final Waiter waiter, final long endNs) throws InterruptedException
    {
        boolean isFirst = enqueue(waiter);
        long lookNs = FIRST_LOOK_NS;
        while (true)
        {
            final long nowNs = System.nanoTime();
            if (waiter.isIn || isFirst && tryServe(waiter, nowNs))
            {
                return true;
            }
            final boolean isInterrupted = Thread.interrupted();
            if (isInterrupted || isClosed || nowNs - endNs >= 0)
            {
                return endWait(waiter, isInterrupted);
            }
            if (isFirst)
            {
                LockSupport.parkNanos(this, Math.min(lookNs, endNs - nowNs));
                lookNs = Math.min(LAST_LOOK_NS, 2 * lookNs);
            }
            else
            {
                LockSupport.parkNanos(this, endNs - nowNs);
                isFirst = isFirst(waiter);
            }
        }
    }

    /** Gives a place back. */
    void leave()
    {
        if (waiting > 0)
        {
            returns.incrementAndGet();
            final long nowNs = System.nanoTime();
            if ((toHandOn > 0 || nowNs - handedOnNs >= SLICE_NS) && handOn(nowNs))
            {
                return;
            }
            leftNs = nowNs;
        }
        lent.decrementAndGet();
    }

    /** Ends all present and future waits without a place. */
    void close()
    {
        isClosed = true;
        synchronized (waiters)
        {
            waiters.forEach(waiter -> LockSupport.unpark(waiter.thread));
        }
    }

    /** Number of taken places. */
    int lent()
    {
        return lent.get();
    }

    /** Number of waiting threads. */
    int waiting()
    {
        return waiting;
    }

    private boolean enqueue(final Waiter waiter)
    {
        synchronized (waiters)
        {
            if (waiters.isEmpty())
            {
                handedOnNs = System.nanoTime();
                lookedNs = handedOnNs;
                freshNs = handedOnNs;
            }
            waiters.add(waiter);
            waiting = waiters.size();
            return waiters.peek() == waiter;
        }
    }

    private boolean isFirst(final Waiter waiter)
    {
        synchronized (waiters)
        {
            return waiters.peek() == waiter;
        }
    }

    /** The first waiter checks whether there should be more places, and whether one is free. */
    private boolean tryServe(final Waiter waiter, final long nowNs)
    {
        synchronized (waiters)
        {
            if (waiter.isIn)
            {
                return true;
            }
            lookedNs = nowNs;
            bound.look(nowNs, returns.get(), lent.get(), countStuck(nowNs - bound.stuckAfterNs()));
            places = bound.places();
            if (!tryEnter())
            {
                return false;
            }
            if (nowNs - leftNs >= IDLE_NS && lent.get() <= places)
            {
                toHandOn = HANDED_ON;
            }
            waiter.isIn = true;
            remove(waiter);
            return true;
        }
    }

    /** Users that took a place before threads waited hold it since an unknown time. */
    private int countStuck(final long beforeNs)
    {
        return beforeNs - freshNs < 0 ? 0 : stuck.applyAsInt(beforeNs);
    }

    private boolean handOn(final long nowNs)
    {
        synchronized (waiters)
        {
            final Waiter first = waiters.peek();
            if (first == null || lent.get() > places)
            {
                return false;
            }
            toHandOn = Math.max(0, toHandOn - 1);
            handedOnNs = nowNs;
            first.isIn = true;
            remove(first);
            LockSupport.unpark(first.thread);
            return true;
        }
    }

    private void remove(final Waiter waiter)
    {
        final boolean wasFirst = waiters.peek() == waiter;
        waiters.remove(waiter);
        waiting = waiters.size();
        if (waiters.isEmpty())
        {
            bound.pause();
            places = bound.places();
        }
        else if (wasFirst)
        {
            LockSupport.unpark(waiters.peek().thread);
        }
    }

    /** Whether a leaving waiter got a place at the last moment. */
    private boolean endWait(final Waiter waiter, final boolean isInterrupted) throws InterruptedException
    {
        final boolean isIn;
        synchronized (waiters)
        {
            isIn = waiter.isIn;
        }
        if (isInterrupted && isIn)
        {
            waiter.thread.interrupt();
        }
        else if (isInterrupted)
        {
            throw new InterruptedException();
        }
        return isIn;
    }

    /** Removes a leaving waiter, also after an error during its wait. */
    private void giveUp(final Waiter waiter)
    {
        final boolean isIn;
        synchronized (waiters)
        {
            isIn = waiter.isIn;
            if (!isIn)
            {
                remove(waiter);
            }
        }
        if (isIn)
        {
            leave();
        }
    }
}
