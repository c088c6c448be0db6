package org.onesided.server.raft;

import java.util.concurrent.TimeUnit;

/**
 * Asks, on a thread of its own, whether a log that Ratis has closed here goes on without this member. Ratis closes it
 * also if a change that would have removed this member has not been committed, and perhaps never is.
 */
final class LeaveInquiry implements AutoCloseable
{
    private static final long PAUSE_MS = 500;
    private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(30);

    private final RaftShardLog log;
    private final Thread thread;
    private volatile boolean isConfirmed;
    private volatile boolean isClosed;

    LeaveInquiry(final RaftShardLog log)
    {
        this.log = log;
        thread = new Thread(this::run, "raft-left-" + log.memberId());
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    /** Whether a leader has said so. It asks on until then. */
    boolean isConfirmed()
    {
        return isConfirmed;
    }

    private void run()
    {
        try
        {
            while (!isClosed && !log.members().isToldToHaveLeft())
            {
                Thread.sleep(PAUSE_MS);
            }
            isConfirmed = !isClosed;
        }
        catch (final InterruptedException e)
        {
            // The logs are being closed.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        thread.interrupt();
        Joining.join(thread, CLOSE_MS);
    }
}
