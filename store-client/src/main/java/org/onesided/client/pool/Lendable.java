package org.onesided.client.pool;

/**
 * The pool's view of a session. For the thread that borrowed it, unless a method says otherwise.
 */
public abstract class Lendable
{
    private volatile long lentNs;

    /** Marks the session as lent since a time. */
    final void lendSince(final long timeNs)
    {
        lentNs = timeNs;
    }

    /** Since when the session is lent; 0 if it is not. Safe to call from any thread. */
    final long lentNs()
    {
        return lentNs;
    }

    /** Marks the session as returned. */
    final void takeBack()
    {
        spend(0);
        lentNs = 0;
    }

    /** Whether the session is attached, as far as is known. Safe to call from any thread. */
    protected abstract boolean isAttached();

    /** Subtracts the time that the next operation's caller has already waited. */
    protected abstract void spend(long durationNs);

    /** Closes the session, also while it is lent. */
    protected abstract void end();
}
