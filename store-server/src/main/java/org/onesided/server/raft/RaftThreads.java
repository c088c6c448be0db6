package org.onesided.server.raft;

import org.apache.ratis.util.OpenCloseState;

/**
 * The threads of Ratis. A log that has failed closes amid them, and one of them ends by an exception when it finds that
 * out. The failure is told already, and the stack trace that a thread prints then is of no use.
 */
final class RaftThreads extends ThreadGroup
{
    RaftThreads(final String name)
    {
        super(name);
    }

    @Override
    public void uncaughtException(final Thread thread, final Throwable failure)
    {
        if (!isOfClosedLog(failure))
        {
            super.uncaughtException(thread, failure);
        }
    }

    /** Ratis gives the exception a cause that shows where the log was closed. */
    private static boolean isOfClosedLog(final Throwable failure)
    {
        return failure instanceof IllegalStateException && failure.getCause() != null &&
            failure.getCause().getClass().getEnclosingClass() == OpenCloseState.class;
    }
}
