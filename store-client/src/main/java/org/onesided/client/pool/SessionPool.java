package org.onesided.client.pool;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.session.ClientContext;
import org.onesided.waiting.Pause;

/**
 * Lends sessions to threads: to few at a time as long as they come back soon, whatever the capacity, since threads amid
 * operations that are more than the processors only take turns there ({@link LendingBound}), and in an order that
 * saves switches of threads but lets nobody wait for ever ({@link LendingGate}). A thread gets the session that it had
 * before where that is free. So there are never more sessions than are of use, and those are opened few at a time.
 * Thread-safe.
 *
 * @param <S> type of a session.
 */
public final class SessionPool<S extends Lendable> implements AutoCloseable
{
    /**
     * Makes sessions.
     *
     * @param <S> type of a session.
     */
    @FunctionalInterface
    public interface Opener<S>
    {
        /**
         * @param operation  that it is for.
         * @param deadlineNs nanoseconds that it may take.
         * @return a connected session; it throws where there is none.
         */
        S open(String operation, long deadlineNs);
    }

    /** How often a close checks whether all sessions are back. */
    private static final long LOOK_NS = 200_000L;
    private static final int PASSES = 4;

    private final ClientContext context;
    private final Opener<S> opener;
    private final int capacity;
    private final LendingGate gate;
    private final AtomicReferenceArray<S> idle;
    private final AtomicInteger opened = new AtomicInteger();
    /** Threads without a session that try to open one. */
    private final AtomicInteger seeking = new AtomicInteger();
    private final List<S> sessions = new CopyOnWriteArrayList<>();
    /** Used places of {@link #idle}: the highest number of sessions so far. */
    private final AtomicInteger places = new AtomicInteger(1);
    private final OpeningPace pace;

    /**
     * @param context  of the client.
     * @param opener   makes sessions.
     * @param busy     so many sessions keep the processors busy; not many more are lent without need.
     * @param capacity sessions at most.
     */
    public SessionPool(final ClientContext context, final Opener<S> opener, final int busy, final int capacity)
    {
        this.context = context;
        this.opener = opener;
        this.capacity = capacity;
        pace = new OpeningPace(context.configuration().deadlineNs());
        gate = new LendingGate(new LendingBound(busy, capacity), this::heldSinceBefore);
        idle = new AtomicReferenceArray<>(capacity);
    }

    /**
     * Tells whether the calling thread and at least one more would have to wait. A single thread that waits costs
     * little.
     *
     * @param others that do without a session, but would want one.
     * @return whether they would.
     */
    public boolean isCrowded(final int others)
    {
        return others + gate.lent() + gate.waiting() > gate.crowd();
    }

    /**
     * Lends a session. The caller gives it back.
     *
     * @param operation  that it is for.
     * @param deadlineNs nanoseconds that it may take.
     * @return the session.
     * @throws StoreException if none can be had until the deadline.
     */
    public S borrow(final String operation, final long deadlineNs)
    {
        final boolean isIn = gate.tryEnter();
        final S session = isIn ? takeIdle(true) : null;
        return lent(session != null ? session : borrowSlowly(operation, isIn, deadlineNs));
    }

    /**
     * @param session that was lent.
     */
    public void giveBack(final S session)
    {
        try
        {
            session.takeBack();
            if (!tryKeep(session))
            {
                // A thread missed a session that was just coming back, and opened one too many.
                end(session);
            }
        }
        finally
        {
            gate.leave();
        }
        if (context.isClosed())
        {
            closeIdle();
        }
    }

    /** Closes the idle sessions. Lent ones close when they are given back. */
    @Override
    public void close()
    {
        gate.close();
        closeIdle();
    }

    /**
     * Waits until all sessions are given back.
     *
     * @param timeoutNs for how long, in nanoseconds.
     * @return whether they are.
     */
    public boolean awaitReturn(final long timeoutNs)
    {
        Pause.until(System.nanoTime() + timeoutNs, LOOK_NS, () -> gate.lent() == 0);
        return gate.lent() == 0;
    }

    private S borrowSlowly(final String operation, final boolean isIn, final long deadlineNs)
    {
        if (!isIn)
        {
            // A call on a closed client fails at once instead of waiting for a session.
            checkOpen(operation);
        }
        final long startNs = System.nanoTime();
        if (!isIn && !gate.tryEnter() && !tryEnterUntil(startNs + deadlineNs, operation))
        {
            checkOpen(operation);
            throw new StoreDeadlineException(
                "all sessions stayed lent until the deadline, allow more: maxSessions=" + capacity,
                unsent(operation));
        }
        S session = null;
        seeking.incrementAndGet();
        try
        {
            session = idleOrNew(operation, startNs + deadlineNs);
            session.spend(System.nanoTime() - startNs);
            return session;
        }
        finally
        {
            seeking.decrementAndGet();
            if (session == null)
            {
                gate.leave();
            }
        }
    }

    /**
     * A session that is idle, or else a new one. Where that cannot be had soon, as from a stopped server, threads
     * share the sessions there are, and one of them tries now and then to open another.
     */
    private S idleOrNew(final String operation, final long endNs)
    {
        StoreConnectException failure = null;
        int attempts = 0;
        while (true)
        {
            checkOpen(operation);
            S session = takeIdle(true);
            if (session == null)
            {
                session = takeIdle(false);
            }
            if (session != null)
            {
                return session;
            }
            final long remainingNs = endNs - System.nanoTime();
            if (remainingNs <= 0)
            {
                throw failure != null ? failure : new StoreDeadlineException(
                    "no session came back until the deadline, and none could be opened", unsent(operation));
            }
            if (opened.get() == 0)
            {
                return open(operation, remainingNs);
            }
            final long spanNs = pace.begin(System.nanoTime());
            if (spanNs > 0)
            {
                try
                {
                    session = open(operation, Math.min(remainingNs, spanNs));
                    return session;
                }
                catch (final StoreConnectException e)
                {
                    if (Thread.currentThread().isInterrupted())
                    {
                        throw e;
                    }
                    failure = e;
                }
                finally
                {
                    pace.end(session != null, System.nanoTime());
                }
            }
            Pause.after(attempts++);
        }
    }

    private S open(final String operation, final long deadlineNs)
    {
        final S session = opener.open(operation, deadlineNs);
        sessions.add(session);
        final int count = Math.min(capacity, opened.incrementAndGet());
        places.accumulateAndGet(count, Math::max);
        return session;
    }

    private void end(final S session)
    {
        opened.decrementAndGet();
        sessions.remove(session);
        session.end();
    }

    private S lent(final S session)
    {
        session.lendSince(gate.lookedNs());
        return session;
    }

    /** Sessions lent since before a time, plus threads that open one. */
    private int heldSinceBefore(final long timeNs)
    {
        int count = seeking.get();
        for (final S session : sessions)
        {
            final long lentNs = session.lentNs();
            count += lentNs != 0 && lentNs - timeNs < 0 ? 1 : 0;
        }
        return count;
    }

    private boolean tryEnterUntil(final long endNs, final String operation)
    {
        try
        {
            return gate.enter(endNs);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new StoreDeadlineException(
                "thread was interrupted while it waited for a session", unsent(operation), e);
        }
    }

    private boolean tryKeep(final S session)
    {
        final int count = places.get();
        final int home = home(count);
        // Unless there are too many sessions, one place is always free, but not always the same one.
        for (int i = 0; i < PASSES * count; i++)
        {
            if (idle.compareAndSet((home + i) % count, null, session))
            {
                return true;
            }
        }
        return false;
    }

    private S takeIdle(final boolean onlyAttached)
    {
        final int count = places.get();
        final int home = home(count);
        for (int i = 0; i < count; i++)
        {
            final int place = home + i < count ? home + i : home + i - count;
            final S session = idle.get(place);
            if (session != null && (!onlyAttached || session.isAttached()) &&
                idle.compareAndSet(place, session, null))
            {
                return session;
            }
        }
        return null;
    }

    private void closeIdle()
    {
        for (int i = 0; i < capacity; i++)
        {
            final S session = idle.getAndSet(i, null);
            if (session != null)
            {
                end(session);
            }
        }
    }

    private void checkOpen(final String operation)
    {
        if (context.isClosed())
        {
            throw new StoreClosedException("client was closed, build another", unsent(operation));
        }
    }

    private FailureContext unsent(final String operation)
    {
        return FailureContext.unsent(operation, context.addressText());
    }

    private static int home(final int count)
    {
        return (int)(Thread.currentThread().getId() % count);
    }
}
