package org.onesided.client;

import org.onesided.client.pool.Lendable;

/**
 * A session that the client's pool lends.
 */
final class PooledSession extends Lendable
{
    private final StoreSession session;

    PooledSession(final StoreSession session)
    {
        this.session = session;
    }

    StoreSession session()
    {
        return session;
    }

    @Override
    protected boolean isAttached()
    {
        return session.isAttached();
    }

    @Override
    protected void spend(final long durationNs)
    {
        session.spend(durationNs);
    }

    @Override
    protected void end()
    {
        session.end();
    }
}
