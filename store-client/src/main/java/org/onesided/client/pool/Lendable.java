package org.onesided.client.pool;

/**
 * A session as its pool sees it. For the thread that it is lent to, where nothing else is said.
 */
public abstract class Lendable
{
    private volatile long lentNs;

    /** It is lent, since a time at least. */
    final void lendSince(final long timeNs)
    {
        lentNs = timeNs;
    }

    /** Since when it is lent, at least; 0 for not at all. Safe to ask from any thread. */
    final long lentNs()
    {
        return lentNs;
    }

    /** It is lent no more. */
    final void takeBack()
    {
        spend(0);
        lentNs = 0;
    }

    /** Whether the next operation needs no reconnecting, as far as is known. Safe to ask from any thread. */
    protected abstract boolean isAttached();

    /** The next operation's caller has waited so long already; 0 for not at all. */
    protected abstract void spend(long durationNs);

    /** Closes the session, lent or not. */
    protected abstract void end();
}
