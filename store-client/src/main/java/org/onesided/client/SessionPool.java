package org.onesided.client;

/**
 * Lends sessions to threads.
 */
final class SessionPool
{
    StoreSession borrow()
    {
        throw new UnsupportedOperationException();
    }

    void giveBack(final StoreSession session)
    {
        throw new UnsupportedOperationException(session.toString());
    }
}
