package org.onesided.server.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.StateMachine;
import org.onesided.server.log.SnapshotFiles;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.files.LogReport;
import org.onesided.server.raft.files.LogsMark;
import org.onesided.server.raft.peers.SnapshotExchange;
import org.onesided.waiting.Interruptible;
import org.onesided.waiting.Pause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of all shards of a server. Thread-safe.
 */
public final class RaftLogs implements AutoCloseable
{
    /** Heap that Ratis takes for each entry of a log, as long as the entry is not purged. */
    public static final int HEAP_BYTES_OF_ENTRY = 320;

    private static final Logger LOGGER = LoggerFactory.getLogger(RaftLogs.class);
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SETTLE_MS = 1000;
    private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(30);

    private final Path directory;
    private final long reserveBytes;
    private final Groups groups;
    private final List<RaftShardLog> logs = new ArrayList<>();
    private final Map<RaftGroupId, RaftShardLog> logOfGroup = new HashMap<>();
    private final List<Reopening> reopenings = new ArrayList<>();
    private final List<Leaving> leavings = new ArrayList<>();
    private final Upkeep upkeep;
    private final long replayedBytes;
    private boolean isClosed;

    private RaftLogs(final RaftLogOptions options, final List<LogStart> starts, final long replayedBytes)
        throws IOException
    {
        this.replayedBytes = replayedBytes;
        directory = options.directory();
        reserveBytes = options.leastFreeBytes(starts.size());
        upkeep = new Upkeep(logs, new DiskRoom(directory, reserveBytes), new Reserve(directory, starts.size()),
            options.onMembers() == null ? null : new MembersWatch(logs, options.onMembers()));
        groups = new Groups(options, this::stateMachine);
        for (int shard = 0; shard < starts.size(); shard++)
        {
            final LogStart start = starts.get(shard);
            final RaftGroupId group = Groups.id(options.tableId(), shard);
            final Path path = Groups.directory(directory, group);
            final RaftShardLog log = new RaftShardLog(groups.server(), groups.self(group), path, start,
                options.peers() == null ? this::reopen : this::leave, options.exchange(shard, path));
            log.newStateMachine(start.index() < 0 ? null : TermIndex.valueOf(start.term(), start.index()));
            logs.add(log);
            logOfGroup.put(group, log);
        }
    }

    /**
     * Opens the logs: checks their files, cuts off what a crash has left of entries that nobody relies on, and starts
     * to hand over. Returns when the files are read; {@link org.onesided.server.log.LogListener#onReady} tells when all
     * is handed over.
     *
     * @param options of the logs.
     * @param starts  one of each shard.
     * @return the logs, to be closed by the caller after the shards have ended.
     * @throws org.onesided.server.raft.files.LogDamageException if a log is damaged.
     * @throws IOException                                       if files cannot be read or written.
     * @throws InterruptedException                              if interrupted while waiting for Ratis.
     */
    public static RaftLogs open(final RaftLogOptions options, final List<LogStart> starts)
        throws IOException, InterruptedException
    {
        options.check();
        Files.createDirectories(options.directory());
        new Reserve(options.directory(), starts.size()).release();
        long replayedBytes = 0;
        for (int shard = 0; shard < starts.size(); shard++)
        {
            final LogStart start = starts.get(shard);
            final Path log = directory(options.directory(), options.tableId(), shard);
            if (options.peers() != null)
            {
                LogsMark.check(options.directory(), log);
            }
            final LogReport report = LogFiles.check(
                log, start.index(), options.discardTail(), options.onChecked());
            replayedBytes += report.entryBytes();
            if (options.peers() != null)
            {
                LogFiles.checkVotes(report, start.term());
            }
            LogFiles.repair(report, start.term());
            for (final String finding : report.findings())
            {
                LOGGER.warn("log was repaired: {}", finding);
            }
        }
        LogFiles.forceDirectory(options.directory());
        final RaftLogs logs = new RaftLogs(options, starts, replayedBytes);
        try
        {
            for (int shard = 0; shard < logs.logs.size(); shard++)
            {
                final RaftShardLog log = logs.logs.get(shard);
                logs.groups.open(log.memberId().getGroupId(), shard);
                if (options.peers() != null)
                {
                    log.stand().opened();
                }
            }
            if (options.peers() != null)
            {
                LogsMark.write(options.directory());
            }
            logs.groups.admit();
            logs.upkeep.start();
            return logs;
        }
        catch (final IOException | InterruptedException | RuntimeException e)
        {
            logs.close();
            throw e;
        }
    }

    /**
     * @param root    directory of all logs.
     * @param tableId of the table.
     * @param shard   number of the shard.
     * @return directory of the shard's log, for {@link LogFiles#check}.
     */
    public static Path directory(final Path root, final long tableId, final int shard)
    {
        return Groups.directory(root, Groups.id(tableId, shard));
    }

    /**
     * To be called before the snapshots of a shard are read, if the log has several members: adopts one that a leader
     * sent to a process that ended then.
     *
     * @param directory of the shard's log, see {@link #directory}.
     * @param snapshots of the shard.
     * @throws IOException if files cannot be read or moved.
     */
    public static void adoptSnapshot(final Path directory, final SnapshotFiles snapshots) throws IOException
    {
        new SnapshotExchange(directory, snapshots).adoptLeft();
    }

    /**
     * Snapshots of a shard that members have sent each other, among them one that came last and was not adopted.
     *
     * @param directory of the shard's log, see {@link #directory}. No server uses it.
     * @return the files, the newest first.
     * @throws IOException if they cannot be listed.
     */
    public static List<Path> exchangedSnapshots(final Path directory) throws IOException
    {
        return SnapshotExchange.files(directory);
    }

    /**
     * @param shard number of the shard.
     * @return its log.
     */
    public RaftShardLog log(final int shard)
    {
        return logs.get(shard);
    }

    /**
     * @return bytes of the entries that the logs had when they were opened, and hand over first.
     */
    public long replayedBytes()
    {
        return replayedBytes;
    }

    private StateMachine stateMachine(final RaftGroupId group)
    {
        return logOfGroup.get(group).stateMachine();
    }

    private void reopen(final RaftShardLog log)
    {
        synchronized (reopenings)
        {
            if (isClosed)
            {
                return;
            }
            try
            {
                final Reopening reopening = new Reopening(groups, log, new DiskRoom(directory, reserveBytes));
                reopenings.removeIf(Reopening::hasEnded);
                reopenings.add(reopening);
                reopening.start();
            }
            catch (final IOException e)
            {
                log.stand().failForGood(e);
            }
        }
    }

    private void leave(final RaftShardLog log)
    {
        synchronized (reopenings)
        {
            if (!isClosed)
            {
                final Leaving leaving = new Leaving(groups, log);
                leavings.add(leaving);
                leaving.start();
            }
        }
    }

    /**
     * Closes all logs: waits for what was proposed, up to 10 seconds, and for Ratis, up to 30 seconds. Whoever polled
     * the logs must have ended.
     */
    @Override
    public void close()
    {
        final List<Reopening> open;
        synchronized (reopenings)
        {
            if (isClosed)
            {
                return;
            }
            isClosed = true;
            open = List.copyOf(reopenings);
        }
        logs.forEach(RaftShardLog::close);
        open.forEach(Reopening::close);
        // No more are added from here on.
        leavings.forEach(Leaving::close);
        upkeep.close();
        drain();
        final Thread closer = new Thread(groups::close, "raft-close");
        closer.setDaemon(true);
        closer.start();
        if (!Interruptible.join(closer, CLOSE_MS))
        {
            LOGGER.warn("logs did not close in time: path={}", directory);
        }
    }

    private void drain()
    {
        final long deadlineNs = System.nanoTime() + DRAIN_NS;
        for (final RaftShardLog log : logs)
        {
            Pause.untilInterrupted(deadlineNs, WAIT_NS, log::isIdle);
            StoppedWriter.settle(log.memberId(), SETTLE_MS);
        }
    }
}
