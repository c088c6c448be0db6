package org.onesided.client;

import org.onesided.client.pool.Lendable;

/**
 * A session that is lent, by the client's pool or by itself, for one call at a time.
 */
final class LentSession extends Lendable
{
    private final StoreSession session;

    LentSession(final StoreSession session)
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
