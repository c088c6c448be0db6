package org.onesided.server.shard.snapshot;

import java.util.concurrent.TimeUnit;
import org.onesided.server.log.ShardLog;
import org.onesided.server.shard.apply.EntryApplier;
import org.onesided.server.shard.proposal.LoggedPulls;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.shard.session.LoggedSessions;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.snapshot.SnapshotWriter;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.TableStatistics;
import org.onesided.server.table.TableWalk;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes snapshots of a shard while it works: each is the state behind exactly one entry of the log. A walk visits the
 * table in bounded steps, and visits the records of a key before a request is applied that may change them. When a
 * snapshot is durable, the log before it is purged. A shard's part of a backup is a snapshot elsewhere, without
 * sessions; no other one is written meanwhile. Belongs to the shard's thread.
 */
public final class ShardSnapshots implements TableWalk.Visitor
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardSnapshots.class);
    /** Bytes that a round visits if it has other work, and if not: a put waits for some rounds, quiet ones also. */
    private static final long BUSY_BUDGET = 8 << 10;
    private static final long QUIET_BUDGET = 32 << 10;
    /** If a put cannot go on before the walk does. */
    private static final long ROOM_BUDGET = 512 << 10;
    /** So long after its last work a shard may still be about to get more: a write waits for the disk for a while. */
    private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(10);

    private final int shard;
    private final int shards;
    private final SnapshotStore store;
    private final ShardLog log;
    private final SnapshotPace pace;
    private final ShardTable table;
    private final TableWalk walk;
    private final LoggedSessions sessions;
    private final LoggedTime time;
    private final LoggedPulls pulls;
    private final EntryApplier applier;
    private final SessionImage image = new SessionImage();
    private SnapshotWriter writer;
    private long index;
    private boolean isWalked;
    private boolean isOverdueTold;
    private long beganNs;
    private long busyNs;
    /** A backup that waits for the other shards, or that the writer writes; null if there is none. */
    private BackupTurn backup;
    private boolean isBackup;
    /** These are read by any thread. */
    private volatile double progress = -1;
    private volatile long failures;

    /**
     * @param shard       number of the shard.
     * @param shards      of the table.
     * @param store       of the shard's snapshots.
     * @param log         of the shard.
     * @param pace        tells when a snapshot is due.
     * @param table       of the shard.
     * @param sessions    of the shard.
     * @param time        of the table.
     * @param pulls       that must not be in the log in part.
     * @param applier     knows how far the table is.
     */
    public ShardSnapshots(
        final int shard,
        final int shards,
        final SnapshotStore store,
        final ShardLog log,
        final SnapshotPace pace,
        final ShardTable table,
        final LoggedSessions sessions,
        final LoggedTime time,
        final LoggedPulls pulls,
        final EntryApplier applier)
    {
        this.shard = shard;
        this.shards = shards;
        this.store = store;
        this.log = log;
        this.pace = pace;
        this.table = table;
        this.sessions = sessions;
        this.time = time;
        this.pulls = pulls;
        this.applier = applier;
        index = store.newestIndex();
        walk = table.walk();
        applier.keyListener(walk::beforeChange);
    }

    /**
     * An entry is applied.
     *
     * @param length of the entry in bytes.
     */
    public void onEntry(final int length)
    {
        pace.logged(length);
        tellIfOverdue();
    }

    /**
     * @return whether the log must not get longer before a snapshot is written.
     */
    public boolean isOverdue()
    {
        return pace.isOverdue();
    }

    private void tellIfOverdue()
    {
        if (pace.isOverdue() != isOverdueTold)
        {
            isOverdueTold = !isOverdueTold;
            if (isOverdueTold)
            {
                LOGGER.warn("writes are refused until a snapshot is written, as the log fills the heap: " +
                    "shard={} entries={}", shard, pace.entriesBehind());
            }
            else
            {
                LOGGER.info("writes are taken again, as a snapshot is written: shard={}", shard);
            }
        }
    }

    /** Asks for a snapshot as soon as possible. If one is being written, another one follows after a pause. */
    public void request()
    {
        pace.request();
    }

    /**
     * Takes part in a backup, as soon as no snapshot is being written.
     *
     * @param newBackup given to all shards.
     */
    public void request(final TableBackup newBackup)
    {
        if (backup == null)
        {
            backup = new BackupTurn(newBackup);
        }
        else
        {
            newBackup.giveUp("the backup before this one has not ended yet, try again");
            newBackup.leave();
        }
    }

    /**
     * @return whether the agent has to look again soon: nothing wakes it when blocks are written, or other shards stop.
     */
    public boolean isUnderWay()
    {
        return writer != null || backup != null;
    }

    /**
     * @return nanoseconds until the agent has to look again whether a snapshot is due.
     */
    public long restNs()
    {
        final long restNs = pace.restNs(System.nanoTime());
        // One that is due and does not begin waits for a value, which wakes the agent.
        return restNs == 0 ? SnapshotPace.NEVER : restNs;
    }

    /**
     * @return whether the disk keeps up with what changes, as each change may add to a snapshot that is being written;
     *         and no other shard has to stop for a backup first.
     */
    public boolean mayApply()
    {
        return writer == null ? backup == null || !backup.isStopped() : writer.hasRoom();
    }

    /**
     * @return which part of the table is in the snapshot that is being written, from 0 to 1; -1 if none is. Safe to ask
     *         from any thread.
     */
    public double progress()
    {
        return progress;
    }

    /**
     * @return snapshots that could not be written. Safe to ask from any thread.
     */
    public long failures()
    {
        return failures;
    }

    /** A request waits for room that the walk may keep. */
    public void giveRoom()
    {
        walk.step(ROOM_BUDGET);
    }

    /**
     * Goes on.
     *
     * @param isBusy whether the round has other work.
     * @return how much was done.
     */
    public int step(final boolean isBusy)
    {
        if (writer == null)
        {
            return backup != null ? prepareBackup() : pace.isDue(System.nanoTime()) ? prepare() : 0;
        }
        final long nowNs = System.nanoTime();
        busyNs = isBusy ? nowNs : busyNs;
        writer.gentle(nowNs - busyNs < BUSY_NS && !pace.isLate());
        if (isBackup)
        {
            return stepBackup(isBusy);
        }
        return switch (writer.state())
        {
            case WRITING -> isWalked ? 0 : advance(isBusy ? BUSY_BUDGET : QUIET_BUDGET);
            case DONE -> end();
            default -> fail();
        };
    }

    /** Begins, unless a long value is in the log in part: then no other one begins, so that this ends soon. */
    private int prepare()
    {
        if (applier.index() <= index)
        {
            // Nothing has changed since the last one.
            pace.skip();
            return 0;
        }
        pulls.holdBack(true);
        if (!applier.isWhole())
        {
            return 0;
        }
        pulls.holdBack(false);
        begin();
        return 1;
    }

    private void begin()
    {
        index = applier.index();
        pace.begin(System.nanoTime());
        begin(store.create(header()));
        // With a log that is forced behind the writes, the snapshot would outlive entries that it contains.
        writer.before(log::force);
        sessions.forEach((session) -> writer.session(image.buffer(), 0, image.write(session, sessions.isReplicated())));
        progress = 0;
    }

    /** Begins to write the present state; sessions may follow. */
    private void begin(final SnapshotWriter newWriter)
    {
        beganNs = System.nanoTime();
        busyNs = beganNs - BUSY_NS;
        isWalked = false;
        writer = newWriter;
        writer.session(image.buffer(), 0, image.write(time));
        walk.begin(this);
    }

    private SnapshotHeader header()
    {
        final TableStatistics statistics = table.statistics();
        return new SnapshotHeader(
            table.id(), shard, shards, applier.term(), Math.max(0, applier.index()), time.getAsLong(),
            table.load().versionCounter(), statistics.buckets(), statistics.records(), statistics.heapBytesUsed(),
            System.currentTimeMillis());
    }

    private int prepareBackup()
    {
        if (backup.backup().failure() != null)
        {
            leaveBackup();
            return 1;
        }
        pulls.holdBack(backup.holdsBack());
        if (!backup.advance(applier.isWhole()))
        {
            return 0;
        }
        pulls.holdBack(false);
        isBackup = true;
        begin(backup.backup().begin(header()));
        return 1;
    }

    private int stepBackup(final boolean isBusy)
    {
        final TableBackup of = backup.backup();
        if (of.failure() != null)
        {
            writer.abort();
        }
        final SnapshotWriter.State state = writer.state();
        if (state == SnapshotWriter.State.WRITING)
        {
            final int done = isWalked ? 0 : advance(isBusy ? BUSY_BUDGET : QUIET_BUDGET);
            of.progress(shard, isWalked ? 1 : walk.progress());
            return done;
        }
        if (state == SnapshotWriter.State.FAILED)
        {
            of.giveUp("the server could not write the files of the backup: " + writer.reason());
            walk.stop();
        }
        leaveBackup();
        return 1;
    }

    private void leaveBackup()
    {
        pulls.holdBack(false);
        writer = null;
        isBackup = false;
        backup.backup().leave();
        backup = null;
    }

    private int advance(final long budget)
    {
        if (!writer.hasRoomForWalk())
        {
            return 0;
        }
        if (walk.step(budget))
        {
            isWalked = true;
            writer.finish();
        }
        progress = isBackup ? -1 : walk.progress();
        return 1;
    }

    private int end()
    {
        LOGGER.info("snapshot is written: shard={} index={} bytes={} took={}ms", shard, index, writer.bytesWritten(),
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs));
        writer = null;
        progress = -1;
        pace.end(System.nanoTime());
        tellIfOverdue();
        if (store.oldestIndex() >= 0)
        {
            log.purge(store.oldestIndex());
        }
        return 1;
    }

    private int fail()
    {
        LOGGER.warn("snapshot was not written, the log is kept, and the next try is in {} s: shard={} reason={}",
            TimeUnit.NANOSECONDS.toSeconds(SnapshotPace.RETRY_NS), shard, writer.reason());
        walk.stop();
        writer = null;
        progress = -1;
        failures++;
        index = store.newestIndex();
        pace.fail(System.nanoTime());
        tellIfOverdue();
        return 1;
    }

    @Override
    public void onRecord(
        final long keyAddress,
        final int keyLength,
        final long valueAddress,
        final int valueLength,
        final long version,
        final long expiry)
    {
        writer.record(keyAddress, keyLength, valueAddress, valueLength, version, expiry);
    }

    @Override
    public void onLongRecord(
        final long keyAddress, final int keyLength, final int valueLength, final long version, final long expiry)
    {
        writer.longRecord(keyAddress, keyLength, valueLength, version, expiry);
    }

    @Override
    public void onValuePart(final long address, final int length)
    {
        writer.valuePart(address, length);
    }

    /** Gives up the snapshot that is being written, and waits for its thread. */
    public void close()
    {
        if (backup != null)
        {
            backup.backup().giveUp("server stops");
            backup.backup().leave();
        }
        if (writer == null)
        {
            return;
        }
        walk.stop();
        writer.abort();
        try
        {
            if (!writer.await(CLOSE_MS))
            {
                LOGGER.warn("snapshot could not be given up in time: shard={} index={}", shard, index);
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
