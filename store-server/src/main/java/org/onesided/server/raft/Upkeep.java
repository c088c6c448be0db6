package org.onesided.server.raft;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.waiting.Interruptible;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the logs need beside their entries, ten times a second on a thread of its own: it watches the room on the disk,
 * keeps the reserve, purges, counts the files' bytes, and looks for changes of members.
 */
final class Upkeep implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Upkeep.class);
    private static final long PERIOD_MS = 100;
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    private final List<RaftShardLog> logs;
    private final DiskRoom room;
    private final Reserve reserve;
    /** Null in groups of one. */
    private final MembersWatch members;
    private final Thread thread = new Thread(this::run, "raft-upkeep");
    private volatile boolean isClosed;

    Upkeep(final List<RaftShardLog> logs, final DiskRoom room, final Reserve reserve, final MembersWatch members)
    {
        this.members = members;
        this.reserve = reserve;
        this.logs = logs;
        this.room = room;
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    private void run()
    {
        while (!isClosed)
        {
            try
            {
                doOnce();
            }
            catch (final RuntimeException e)
            {
                LOGGER.warn("log upkeep failed, and is tried again", e);
            }
            try
            {
                Thread.sleep(PERIOD_MS);
            }
            catch (final InterruptedException e)
            {
                return;
            }
        }
    }

    private void doOnce()
    {
        if (members != null)
        {
            members.look();
        }
        boolean isChanged = false;
        for (final RaftShardLog log : logs)
        {
            log.stand().checkRole();
            if (log.diskUse().clearDirty(log.isIdle()))
            {
                isChanged = true;
                log.purgeNow();
                count(log);
            }
            isChanged |= log.state() == LogState.NO_ROOM;
        }
        if (isChanged)
        {
            room.look();
            if (room.hasRoom())
            {
                reserve.make();
            }
            for (final RaftShardLog log : logs)
            {
                // Proofs may be taken again before there is room for more.
                if (room.isNearlyFull() || log.state() == LogState.NO_ROOM && !room.hasRoom())
                {
                    log.stand().noRoom(room.toString(), room.isScarce());
                }
                else if (room.hasRoom())
                {
                    log.stand().room();
                }
            }
        }
    }

    private static void count(final RaftShardLog log)
    {
        try
        {
            log.diskUse().bytes(LogFiles.bytes(log.directory()));
        }
        catch (final IOException e)
        {
            // A file was purged meanwhile: the next round counts.
            LOGGER.debug("could not count the log's bytes: path={}", log.directory(), e);
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        thread.interrupt();
        Interruptible.join(thread, JOIN_MS);
        if (members != null)
        {
            members.close();
        }
    }
}
