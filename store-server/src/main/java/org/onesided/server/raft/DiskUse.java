package org.onesided.server.raft;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * What a log has on the disk, and what of it may go. Thread-safe.
 */
final class DiskUse
{
    private final AtomicLong purgeIndex = new AtomicLong(LogStart.NO_SNAPSHOT);
    private final AtomicBoolean isDirty = new AtomicBoolean(true);
    private volatile long bytes;

    /** Something changes on the disk. */
    void changes()
    {
        isDirty.set(true);
    }

    /** Whether something may have changed on the disk since the last call. */
    boolean clearDirty(final boolean isIdle)
    {
        final boolean wasDirty = isDirty.getAndSet(false);
        if (isIdle)
        {
            return wasDirty;
        }
        // Once more when it is idle again.
        isDirty.set(true);
        return true;
    }

    /** Bytes of the files, as they were counted last. */
    long bytes()
    {
        return bytes;
    }

    void bytes(final long counted)
    {
        bytes = counted;
    }

    /** Entries up to an index are not needed any more. */
    void purge(final long index)
    {
        purgeIndex.accumulateAndGet(index, Math::max);
        changes();
    }

    /** Purges what is not needed any more. Ratis deletes whole segments, on its own thread. */
    void purgeNow(final RaftLog log, final ShardStateMachine machine)
    {
        final long index = Math.min(purgeIndex.get(), machine.getLastAppliedTermIndex().getIndex());
        if (log == null || !log.isOpened() || index <= machine.takeSnapshot())
        {
            return;
        }
        final TermIndex last = log.getTermIndex(index);
        if (last != null)
        {
            machine.purged(last);
            log.purge(index).whenComplete((purged, failure) -> changes());
        }
    }
}
