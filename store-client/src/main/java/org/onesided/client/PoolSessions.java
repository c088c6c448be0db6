package org.onesided.client;

import org.onesided.client.pool.SessionPool;
import org.onesided.client.session.ClientContext;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ServerInfo;

/**
 * Calls on the sessions of a client's pool. Thread-safe.
 */
final class PoolSessions extends LentSessions
{
    private final ClientContext context;
    private final SessionPool<LentSession> pool;
    private final long deadlineNs;

    /**
     * @param pool       that lends.
     * @param deadlineNs nanoseconds that a call may take.
     */
    PoolSessions(final ClientContext context, final SessionPool<LentSession> pool, final long deadlineNs)
    {
        this.context = context;
        this.pool = pool;
        this.deadlineNs = deadlineNs;
    }

    @Override
    LentSession borrow(final String operation)
    {
        final LentSession lent = pool.borrow(operation, deadlineNs);
        lent.session().allow(deadlineNs);
        return lent;
    }

    @Override
    void giveBack(final LentSession lent)
    {
        pool.giveBack(lent);
    }

    @Override
    LentSessions within(final long otherNs)
    {
        return new PoolSessions(context, pool, otherNs);
    }

    @Override
    ClientStatistics statistics()
    {
        return context.statistics();
    }

    @Override
    ServerInfo server()
    {
        return context.server();
    }

    /** The server's address. */
    @Override
    public String toString()
    {
        return "StoreClient[server=" + context.address() + ']';
    }
}
