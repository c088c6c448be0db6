package org.onesided.server.raft;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.onesided.server.raft.peers.Peer;
import org.onesided.waiting.Interruptible;

/**
 * Asks, on a thread of its own, whether a log that Ratis has closed here goes on without this member. Ratis closes it
 * also if a change that would have removed this member has not been committed, and perhaps never is.
 */
final class LeaveInquiry implements AutoCloseable
{
    private static final long FIRST_PAUSE_MS = 500;
    /** Others may be away for long. */
    private static final long LONGEST_PAUSE_MS = 5_000;
    private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(30);

    private final RaftShardLog log;
    /** Gives the members that may lead by now, besides those that the log has had when it was closed. */
    private final Supplier<List<Peer>> known;
    private final Thread thread;
    private volatile GroupMembers.Departure departure = GroupMembers.Departure.UNKNOWN;
    /** Members that are down take some seconds each. */
    private volatile boolean haveAllBeenAsked;
    private volatile boolean isClosed;

    LeaveInquiry(final RaftShardLog log, final Supplier<List<Peer>> known)
    {
        this.log = log;
        this.known = known;
        thread = new Thread(this::run, "raft-left-" + log.memberId());
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    /** What others have said when they were asked last. It asks on until that is certain. */
    GroupMembers.Departure departure()
    {
        return departure;
    }

    /** Whether each other member has been asked, or one was certain. */
    boolean haveAllBeenAsked()
    {
        return haveAllBeenAsked;
    }

    private void run()
    {
        long pauseMs = FIRST_PAUSE_MS;
        try
        {
            departure = log.members().askWhetherLeft(known.get());
        }
        finally
        {
            haveAllBeenAsked = true;
        }
        // Interrupted when the logs are being closed.
        while (!isClosed && departure != GroupMembers.Departure.CERTAIN &&
            Interruptible.sleep(TimeUnit.MILLISECONDS.toNanos(pauseMs)))
        {
            pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
            departure = log.members().askWhetherLeft(known.get());
        }
    }

    /** Asks no more. To be called for all before one is closed, so that they end at the same time. */
    void stop()
    {
        isClosed = true;
        thread.interrupt();
    }

    @Override
    public void close()
    {
        stop();
        Interruptible.join(thread, CLOSE_MS);
    }
}
