package org.onesided.client;

import java.util.function.BiFunction;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ServerInfo;

/**
 * Calls on sessions that are lent, each for one call, with one deadline for all calls. The calls are functions, which
 * allocate nothing if they capture nothing.
 */
abstract class LentSessions
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

    /** Lends a session whose operations have the deadline. The caller gives it back. */
    abstract LentSession borrow(String operation);

    abstract void giveBack(LentSession lent);

    /** The same sessions with another deadline, in nanoseconds. */
    abstract LentSessions within(long deadlineNs);

    /** Counters of what client or session did so far. */
    abstract ClientStatistics statistics();

    abstract ServerInfo server();

    /** Makes a call that returns an object. */
    <A, R> R apply(final String operation, final A argument, final BiFunction<StoreSession, A, R> call)
    {
        final LentSession lent = borrow(operation);
        try
        {
            return call.apply(lent.session(), argument);
        }
        finally
        {
            giveBack(lent);
        }
    }

    <A, B> boolean test(final String operation, final A first, final B second, final Test<A, B> call)
    {
        final LentSession lent = borrow(operation);
        try
        {
            return call.test(lent.session(), first, second);
        }
        finally
        {
            giveBack(lent);
        }
    }

    <A, B> void accept(final String operation, final A first, final B second, final Call<A, B> call)
    {
        final LentSession lent = borrow(operation);
        try
        {
            call.accept(lent.session(), first, second);
        }
        finally
        {
            giveBack(lent);
        }
    }
}
