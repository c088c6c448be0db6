package org.onesided.client;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Lends sessions to threads: at most so many at a time, first come first served, to a thread the one that it had
 * before where that is free. Thread-safe.
 */
final class SessionPool implements AutoCloseable
{
    /** Makes a session. */
    @FunctionalInterface
    interface Opener
    {
        /**
         * @param operation  that it is for.
         * @param deadlineNs nanoseconds that it may take.
         * @return a connected session; it throws where there is none.
         */
        StoreSession open(String operation, long deadlineNs);
    }

    private final ClientContext context;
    private final Opener opener;
    private final int capacity;
    private final Semaphore permits;
    private final AtomicReferenceArray<StoreSession> idle;
    private final AtomicInteger opened = new AtomicInteger();
    private final OpeningPace pace;

    /**
     * @param opener   makes sessions.
     * @param capacity sessions at most.
     */
    SessionPool(final ClientContext context, final Opener opener, final int capacity)
    {
        this.context = context;
        this.opener = opener;
        this.capacity = capacity;
        pace = new OpeningPace(context.configuration().deadlineNs());
        permits = new Semaphore(capacity, true);
        idle = new AtomicReferenceArray<>(capacity);
    }

    /** Lends a session for an operation; the caller gives it back. */
    StoreSession borrow(final String operation)
    {
        checkOpen(operation);
        if (isAcquiredAtOnce())
        {
            final StoreSession session = takeIdle(true);
            if (session != null)
            {
                return session;
            }
            permits.release();
        }
        return borrowSlowly(operation);
    }

    void giveBack(final StoreSession session)
    {
        try
        {
            session.spend(0);
            if (!isKept(session))
            {
                // A thread that looked for an idle session missed one as it came back, and made one too many.
                end(session);
            }
        }
        finally
        {
            permits.release();
        }
        if (context.isClosed())
        {
            closeIdle();
        }
    }

    /** Closes the sessions that are not lent; those that are follow as they are given back. */
    @Override
    public void close()
    {
        closeIdle();
    }

    /** Waits until all sessions are given back; whether they are. */
    boolean awaitReturn(final long timeoutNs)
    {
        boolean isInterrupted = false;
        final long endNs = System.nanoTime() + timeoutNs;
        try
        {
            while (true)
            {
                try
                {
                    return permits.tryAcquire(capacity, endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
                }
                catch (final InterruptedException e)
                {
                    isInterrupted = true;
                }
            }
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private StoreSession borrowSlowly(final String operation)
    {
        final long startNs = System.nanoTime();
        final long deadlineNs = context.configuration().deadlineNs();
        if (!isAcquiredAtOnce() && !isAcquired(deadlineNs, operation))
        {
            checkOpen(operation);
            throw new StoreDeadlineException(
                "all sessions stayed lent until the deadline, allow more: maxSessions=" + capacity,
                unsent(operation));
        }
        StoreSession session = null;
        try
        {
            session = idleOrNew(operation, startNs + deadlineNs);
            session.spend(System.nanoTime() - startNs);
            return session;
        }
        finally
        {
            if (session == null)
            {
                permits.release();
            }
        }
    }

    /**
     * A session that is idle, or else a new one. Where that cannot be had soon, as from a stopped server, threads
     * share the sessions there are, and one of them tries now and then to open another.
     */
    private StoreSession idleOrNew(final String operation, final long endNs)
    {
        StoreConnectException failure = null;
        int attempts = 0;
        while (true)
        {
            checkOpen(operation);
            StoreSession session = takeIdle(true);
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

    private StoreSession open(final String operation, final long deadlineNs)
    {
        final StoreSession session = opener.open(operation, deadlineNs);
        opened.incrementAndGet();
        return session;
    }

    private void end(final StoreSession session)
    {
        opened.decrementAndGet();
        session.end();
    }

    /** Takes a permit, in turn, if there is one for this thread now, be it interrupted or not. */
    private boolean isAcquiredAtOnce()
    {
        boolean isInterrupted = Thread.interrupted();
        try
        {
            return permits.tryAcquire(0, TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException e)
        {
            isInterrupted = true;
            return false;
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for a permit, in turn. */
    private boolean isAcquired(final long timeoutNs, final String operation)
    {
        try
        {
            return permits.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new StoreDeadlineException(
                "thread was interrupted while it waited for a session", unsent(operation), e);
        }
    }

    private boolean isKept(final StoreSession session)
    {
        final int home = home();
        for (int i = 0; i < capacity; i++)
        {
            if (idle.compareAndSet(home + i < capacity ? home + i : home + i - capacity, null, session))
            {
                return true;
            }
        }
        return false;
    }

    private StoreSession takeIdle(final boolean onlyAttached)
    {
        final int home = home();
        for (int i = 0; i < capacity; i++)
        {
            final int place = home + i < capacity ? home + i : home + i - capacity;
            final StoreSession session = idle.get(place);
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
            final StoreSession session = idle.getAndSet(i, null);
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
        return FailureContext.unsent(operation, context.address().toString());
    }

    private int home()
    {
        return (int)(Thread.currentThread().getId() % capacity);
    }
}
