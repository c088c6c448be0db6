package org.onesided.server.raft;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.onesided.waiting.Interruptible;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a group of several members whose log has failed here, on a thread of its own: a member that cannot write must
 * not lead, nor count for a majority.
 */
final class Leaving implements AutoCloseable
{
    private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(30);
    private static final long DRAIN_PAUSE_MS = 5;

    private static final Logger LOGGER = LoggerFactory.getLogger(Leaving.class);

    private final Groups groups;
    private final RaftShardLog log;
    private final Thread thread;

    Leaving(final Groups groups, final RaftShardLog log)
    {
        this.groups = groups;
        this.log = log;
        thread = new Thread(this::run, "raft-leave-" + log.memberId());
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    private void run()
    {
        try
        {
            while (log.stateMachine().isDraining())
            {
                Thread.sleep(DRAIN_PAUSE_MS);
            }
            StoppedWriter.close(groups.server(), log.memberId().getGroupId(), CLOSE_MS);
        }
        catch (final IOException e)
        {
            LOGGER.error("log failed, and its group cannot be closed, stop this server: path={}", log.directory(), e);
        }
        catch (final InterruptedException e)
        {
            // All logs are being closed.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close()
    {
        thread.interrupt();
        Interruptible.join(thread, CLOSE_MS);
    }
}
