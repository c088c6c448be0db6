package org.onesided.server.shard.snapshot;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotWriter;

/**
 * One backup: each shard writes a snapshot, without sessions, to a file. Together they are the table of one moment: if
 * a write that was acknowledged before another one was begun is missing, then so is the other.
 *
 * <p>So no shard applies anything between the moment when it stops and that when the last one has stopped. A shard that
 * a write is missing of has applied it later; then the others had stopped before, and what they applied before that
 * was not begun later than this write was acknowledged. To make the stop short, the shards first wait for each other
 * twice while they work: until none writes a snapshot, and until no long value is in a log in part.
 *
 * <p>Of a member of a cluster there is no such moment: others lead some shards, and it may have heard more of one than
 * of another. So its shards do not wait for each other, and the promise holds for each alone.
 *
 * <p>Thread-safe.
 */
public final class TableBackup
{
    /** Longest time that shards hold long values back, or stop, for a backup. */
    private static final long STOP_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);
    /** The same of a member, which stops nothing, and waits for the long values of other leaders. */
    private static final long MEMBER_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    /** What {@link #permille} gives at the end. */
    public static final int PERMILLE = 1_000;

    /** What a shard has come to. */
    enum Stage
    {
        /** It writes no snapshot, and begins none. */
        QUIET,
        /** No value is in its log in part, and none begins. */
        WHOLE,
        /** It applies nothing. */
        STOPPED
    }

    private static final Stage[] STAGES = Stage.values();

    private final Path directory;
    private final int shards;
    private final boolean isOfOneMoment;
    private final long stopLimitNs;
    private final AtomicIntegerArray arrived = new AtomicIntegerArray(STAGES.length);
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicIntegerArray permille;
    private final AtomicReferenceArray<SnapshotWriter> writers;
    private final AtomicReference<String> reason = new AtomicReference<>();

    /**
     * @param directory     that the files go to.
     * @param shards        of the table.
     * @param isOfOneMoment whether it is of one moment: the server is alone.
     */
    public TableBackup(final Path directory, final int shards, final boolean isOfOneMoment)
    {
        this(directory, shards, isOfOneMoment, isOfOneMoment ? STOP_LIMIT_NS : MEMBER_LIMIT_NS);
    }

    TableBackup(final Path directory, final int shards, final boolean isOfOneMoment, final long stopLimitNs)
    {
        this.isOfOneMoment = isOfOneMoment;
        this.stopLimitNs = stopLimitNs;
        this.directory = directory;
        this.shards = shards;
        permille = new AtomicIntegerArray(shards);
        writers = new AtomicReferenceArray<>(shards);
    }

    /**
     * @param shard number of a shard, from 0.
     * @return the file with its snapshot.
     */
    public Path file(final int shard)
    {
        return directory.resolve("shard-" + shard);
    }

    /** Whether no shard begins to write before all have stopped. */
    boolean isOfOneMoment()
    {
        return isOfOneMoment;
    }

    long stopLimitNs()
    {
        return stopLimitNs;
    }

    /** A shard has come to a stage. Each calls it once for each. */
    void arrive(final Stage stage)
    {
        arrived.incrementAndGet(stage.ordinal());
    }

    /** Whether all shards have come to a stage. */
    boolean isReached(final Stage stage)
    {
        return arrived.get(stage.ordinal()) == shards;
    }

    /** Begins the snapshot of a shard. */
    SnapshotWriter begin(final SnapshotHeader header)
    {
        final SnapshotWriter writer = SnapshotWriter.to(file(header.shard()), header);
        writers.set(header.shard(), writer);
        return writer;
    }

    void progress(final int shard, final double part)
    {
        permille.set(shard, (int)(PERMILLE * part));
    }

    /** A shard has nothing to do with it any more. */
    void leave()
    {
        left.incrementAndGet();
    }

    /**
     * Ends the backup without success. The first reason counts.
     *
     * @param why in one line.
     */
    public void giveUp(final String why)
    {
        reason.compareAndSet(null, why);
    }

    /**
     * @return why there is no backup, in one line; null if nothing has failed.
     */
    public String failure()
    {
        return reason.get();
    }

    /**
     * @return whether all shards work on as if there were no backup; if nothing has failed, their files are whole.
     */
    public boolean isOver()
    {
        return left.get() == shards;
    }

    /**
     * @return whether all shards have begun to write.
     */
    public boolean isBegun()
    {
        return isReached(Stage.STOPPED);
    }

    /**
     * @return how much of the table was visited, in thousandths.
     */
    public int permille()
    {
        long sum = 0;
        for (int i = 0; i < shards; i++)
        {
            sum += permille.get(i);
        }
        return (int)(sum / shards);
    }

    /**
     * Waits for the threads that write the files.
     *
     * @param timeoutMs to wait at most, in milliseconds.
     * @return whether they have ended.
     * @throws InterruptedException if the caller is interrupted.
     */
    public boolean awaitWriters(final long timeoutMs) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        boolean isEnded = true;
        for (int i = 0; i < shards; i++)
        {
            final SnapshotWriter writer = writers.get(i);
            isEnded &= writer == null ||
                writer.await(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
        }
        return isEnded;
    }
}
