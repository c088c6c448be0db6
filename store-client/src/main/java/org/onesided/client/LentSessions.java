package org.onesided.client;

import java.util.function.BiFunction;
import org.onesided.client.pool.SessionPool;

/**
 * Calls on sessions that a pool lends, each for one call. The calls are functions, which allocate nothing if they
 * capture nothing. Thread-safe.
 */
final class LentSessions
{
    /** A call that returns a boolean. */
    @FunctionalInterface
    interface Test<A, B>
    {
        boolean test(StoreSession session, A first, B second);
    }

    /** A call that returns nothing. */
    @FunctionalInterface
    interface Call<A, B>
    {
        void accept(StoreSession session, A first, B second);
    }

    private final SessionPool<PooledSession> pool;

    /**
     * @param pool that lends.
     */
    LentSessions(final SessionPool<PooledSession> pool)
    {
        this.pool = pool;
    }

    /** Makes a call that returns an object. */
    <A, R> R apply(final String operation, final A argument, final BiFunction<StoreSession, A, R> call)
    {
        final PooledSession lent = pool.borrow(operation);
        try
        {
            return call.apply(lent.session(), argument);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    <A, B> boolean test(final String operation, final A first, final B second, final Test<A, B> call)
    {
        final PooledSession lent = pool.borrow(operation);
        try
        {
            return call.test(lent.session(), first, second);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }

    <A, B> void accept(final String operation, final A first, final B second, final Call<A, B> call)
    {
        final PooledSession lent = pool.borrow(operation);
        try
        {
            call.accept(lent.session(), first, second);
        }
        finally
        {
            pool.giveBack(lent);
        }
    }
}
