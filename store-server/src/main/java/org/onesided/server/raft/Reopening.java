package org.onesided.server.raft;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.server.protocol.TermIndex;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.files.LogReport;
import org.onesided.waiting.Interruptible;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a log anew after the disk was full: on a thread of its own, from closing the group until the log is ready, or
 * until it is certain that it will not be.
 */
final class Reopening implements AutoCloseable
{
    private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(30);
    private static final long READY_MS = TimeUnit.SECONDS.toMillis(30);
    private static final long DRAIN_PAUSE_MS = 5;
    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 5000;

    private static final Logger LOGGER = LoggerFactory.getLogger(Reopening.class);

    private final Groups groups;
    private final RaftShardLog log;
    private final DiskRoom room;
    private final Thread thread;

    Reopening(final Groups groups, final RaftShardLog log, final DiskRoom room)
    {
        this.groups = groups;
        this.log = log;
        this.room = room;
        thread = new Thread(this::run, "raft-reopen-" + log.memberId());
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    boolean hasEnded()
    {
        return thread.getState() == Thread.State.TERMINATED;
    }

    private void run()
    {
        try
        {
            reopen();
        }
        catch (final IOException | RuntimeException e)
        {
            log.stand().failForGood(e);
        }
        catch (final InterruptedException e)
        {
            // The logs are being closed.
            Thread.currentThread().interrupt();
        }
    }

    private void reopen() throws IOException, InterruptedException
    {
        long pauseMs = FIRST_PAUSE_MS;
        TermIndex last = stop();
        while (log.state() == LogState.REOPENING)
        {
            Thread.sleep(pauseMs);
            pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
            room.look();
            if (room.hasRoom())
            {
                final ShardStateMachine next = log.newStateMachine(last);
                if (isReady(next))
                {
                    LOGGER.info("log was opened anew: path={}", log.directory());
                    return;
                }
                last = stop();
            }
        }
    }

    /**
     * Closes the group and cuts off what was written in part: at once, since the next start could not tell it from
     * damage. It was not handed over, so nobody relies on it.
     *
     * @return the last entry that was handed over, or null without one.
     */
    private TermIndex stop() throws IOException, InterruptedException
    {
        final ShardStateMachine failed = log.stateMachine();
        while (failed.isDraining())
        {
            Thread.sleep(DRAIN_PAUSE_MS);
        }
        StoppedWriter.close(groups.server(), log.memberId().getGroupId(), CLOSE_MS);
        failed.detach();
        final TermIndex last = failed.getLastAppliedTermIndex();
        final LogReport report = LogFiles.check(log.directory(), last.getIndex(), true);
        if (report.lastIndex() < last.getIndex())
        {
            throw new IOException("committed entries are missing in the full log: path=" + log.directory() +
                ", last=" + report.lastIndex() + ", committed=" + last.getIndex());
        }
        LogFiles.repair(report, last.getTerm());
        return last.getIndex() < 0 ? null : last;
    }

    private boolean isReady(final ShardStateMachine next) throws IOException, InterruptedException
    {
        try
        {
            LogFiles.force(log.directory());
            groups.open(log.memberId().getGroupId(), 0);
            next.ready().get(READY_MS, TimeUnit.MILLISECONDS);
            return true;
        }
        catch (final IOException e)
        {
            if (!DiskErrors.isNoRoom(e))
            {
                throw e;
            }
        }
        catch (final ExecutionException e)
        {
            if (!DiskErrors.isNoRoom(e))
            {
                throw new IOException("the log failed again: path=" + log.directory(), e);
            }
        }
        catch (final TimeoutException e)
        {
            // Without room for its small files, Ratis does not elect a leader, and does not say why.
            room.look();
        }
        return false;
    }

    @Override
    public void close()
    {
        thread.interrupt();
        Interruptible.join(thread, CLOSE_MS);
    }
}
