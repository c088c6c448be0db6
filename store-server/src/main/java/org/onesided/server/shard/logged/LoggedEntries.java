package org.onesided.server.shard.logged;

import org.agrona.DirectBuffer;
import org.onesided.server.log.LogListener;
import org.onesided.server.log.ShardLog;
import org.onesided.server.shard.apply.EntryApplier;
import org.onesided.server.shard.proposal.LoggedPulls;
import org.onesided.server.shard.proposal.LoggedRoom;
import org.onesided.server.shard.proposal.Proposals;
import org.onesided.server.shard.reign.ShardReign;
import org.onesided.server.shard.session.LoggedSessions;
import org.onesided.server.shard.snapshot.ShardRecovery;
import org.onesided.server.shard.snapshot.ShardSnapshots;
import org.onesided.server.table.ShardTable;

/**
 * Applies the committed entries of a shard's log, in their order: one that waits for room holds up all that follow, and
 * room is made for it. Belongs to the shard's thread.
 */
public final class LoggedEntries
{
    /** Entries that a round applies. */
    private static final int MAX_ENTRIES = 64;
    /** Granules that a round may touch to make room for a request that waits for it. */
    private static final long ROOM_BUDGET = 1 << 14;
    private static final int MAX_SPLITS = 64;
    /** Keys with a time that are looked at between two looks at the buckets. */
    private static final int MAX_EXPIRED = 1024;

    private final ShardLog log;
    private final ShardTable table;
    private final Proposals proposals;
    private final LoggedSessions sessions;
    private final LoggedRoom room;
    private final LoggedPulls pulls;
    private final EntryApplier applier;
    private final ShardRecovery recovery;
    private final ShardSnapshots snapshots;
    private final ShardReign reign;
    private boolean isUnfinished;
    /** These are read by any thread. */
    private volatile long appliedIndex = -1;
    private volatile int sessionCount;

    /**
     * @param log       of the shard.
     * @param table     of the shard.
     * @param proposals hear which of them are committed.
     * @param sessions  that the log knows.
     * @param room      that requests take.
     * @param pulls     whose values may give up their place for an entry.
     * @param applier   of single entries.
     * @param recovery  of the shard.
     * @param snapshots of the shard.
     * @param reign     of this member.
     */
    LoggedEntries(
        final ShardLog log,
        final ShardTable table,
        final Proposals proposals,
        final LoggedSessions sessions,
        final LoggedRoom room,
        final LoggedPulls pulls,
        final EntryApplier applier,
        final ShardRecovery recovery,
        final ShardSnapshots snapshots,
        final ShardReign reign)
    {
        this.log = log;
        this.table = table;
        this.proposals = proposals;
        this.sessions = sessions;
        this.room = room;
        this.pulls = pulls;
        this.applier = applier;
        this.recovery = recovery;
        this.snapshots = snapshots;
        this.reign = reign;
    }

    /** Index of the last entry that is applied, -1 if there is none. Safe to ask from any thread. */
    long appliedIndex()
    {
        return appliedIndex;
    }

    /** How many sessions the log knew then. Safe to ask from any thread. */
    int sessionCount()
    {
        return sessionCount;
    }

    /** The table was loaded from a snapshot. */
    void onLoaded()
    {
        appliedIndex = applier.index();
    }

    /** Whether an entry waits for room. */
    boolean isUnfinished()
    {
        return isUnfinished;
    }

    /**
     * @return whether room in the heap is made for a committed request: what is gathered is for that.
     */
    public boolean isMakingRoom()
    {
        return isUnfinished && !applier.waitsForIndex();
    }

    /** Whether the entry right before that index was handed over last, and ends with RELEASE. */
    boolean isReleaseBefore(final long index)
    {
        return applier.isRelease() && applier.index() == index - 1;
    }

    /**
     * Goes on with an entry that waits for room, and applies those that follow, a bounded number.
     *
     * @param listener hears from the log, and hands entries over to {@link #onEntry}.
     * @return how much was done.
     */
    int poll(final LogListener listener)
    {
        int count = isUnfinished ? goOn() : 0;
        while (!isUnfinished && count < MAX_ENTRIES && snapshots.mayApply() && log.poll(listener, 1) > 0)
        {
            count++;
        }
        return count;
    }

    private int goOn()
    {
        final int made = makeRoom();
        if (made > 0)
        {
            applier.onProgress();
        }
        finish();
        if (isUnfinished && !recovery.isOver())
        {
            applier.awaitRoom();
        }
        else if (isUnfinished && made == 0 && !applier.waitsForIndex() && pulls.giveWay())
        {
            return 1;
        }
        return made;
    }

    private int makeRoom()
    {
        snapshots.giveRoom();
        // Room in the heap is of no use to what waits for the index: that may get memory from the heap's end.
        final long needed = applier.waitsForIndex() ? 0 : room.neededNow(applier.waiting());
        return table.makeRoom(needed, ROOM_BUDGET) > 0 ? 1 : 0;
    }

    /** An entry is committed. */
    void onEntry(final long index, final long term, final DirectBuffer entry, final int offset, final int length)
    {
        if (index <= applier.index())
        {
            // A log that was opened anew may begin with what it has handed over before.
            return;
        }
        snapshots.onEntry(length);
        applier.begin(index, term, entry, offset, length, proposals.life());
        proposals.onCommitted(index, applier.isOwn());
        recovery.onEntry(length);
        // The time is that of the entry now.
        catchUp();
        isUnfinished = true;
        finish();
    }

    private void finish()
    {
        if (applier.advance())
        {
            isUnfinished = false;
            appliedIndex = applier.index();
            sessionCount = sessions.size();
            catchUp();
            if (applier.isOwn())
            {
                reign.onApplied(applier.term(), applier.isRelease());
            }
        }
    }

    /**
     * Splits all buckets for which it is time, and removes all keys whose time is over, if entries are read back or
     * come from a leader: they come faster than rounds, and chains must not get longer, nor the heap fuller, than they
     * were when the entries were proposed.
     */
    private void catchUp()
    {
        if (!recovery.isOver() || reign.leadership().isFollowing())
        {
            while (table.grow(MAX_SPLITS) > 0 || table.expiryRestMs() == 0)
            {
                table.expire(MAX_EXPIRED);
            }
        }
    }
}
