package org.onesided.client;

import org.onesided.client.session.RunningOperation;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ServerInfo;

/**
 * Calls on one session, which has another deadline for the time of each. Not thread-safe.
 */
final class OwnSession extends LentSessions
{
    private final LentSession lent;
    private final RunningOperation operation;
    private final long defaultNs;
    private final long deadlineNs;

    /**
     * @param operation  that the session carries out.
     * @param defaultNs  nanoseconds that the session's own calls may take.
     * @param deadlineNs nanoseconds that a call may take.
     */
    OwnSession(
        final StoreSession session, final RunningOperation operation, final long defaultNs, final long deadlineNs)
    {
        this(new LentSession(session), operation, defaultNs, deadlineNs);
    }

    private OwnSession(
        final LentSession lent, final RunningOperation operation, final long defaultNs, final long deadlineNs)
    {
        this.lent = lent;
        this.operation = operation;
        this.defaultNs = defaultNs;
        this.deadlineNs = deadlineNs;
    }

    @Override
    LentSession borrow(final String name)
    {
        // The running operation's steps keep their time.
        operation.checkIdle(name);
        operation.allow(deadlineNs);
        return lent;
    }

    @Override
    void giveBack(final LentSession session)
    {
        operation.allow(defaultNs);
    }

    @Override
    LentSessions within(final long otherNs)
    {
        return new OwnSession(lent, operation, defaultNs, otherNs);
    }

    @Override
    ClientStatistics statistics()
    {
        return lent.session().clientStatistics();
    }

    @Override
    ServerInfo server()
    {
        return lent.session().server();
    }

    @Override
    public String toString()
    {
        return lent.session().toString();
    }
}
