package org.onesided.client;

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
    boolean isAttached()
    {
        return session.isAttached();
    }

    @Override
    void spend(final long durationNs)
    {
        session.spend(durationNs);
    }

    @Override
    void end()
    {
        session.end();
    }
}
