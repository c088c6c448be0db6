package org.onesided.server.shard;

import org.agrona.collections.LongArrayList;
import org.onesided.server.queue.SessionGeometry;

/**
 * A shard's part of a session that outlives its queue pairs: the memory of its requests, and the values lent to it.
 * Belongs to the shard's thread from its first {@link ShardQueuePairs#attach} on.
 */
public final class ShardSession
{
    private final long id;
    private final SessionGeometry geometry;
    private final RequestWindow window;
    /** Extents lent to the session; one may be lent several times. */
    private final LongArrayList extents = new LongArrayList();
    private final LongArrayList extentLengths = new LongArrayList();
    private long borrowedBytes;
    private long borrowCount;
    /** The present queue pair's, or null. */
    private AppliedListener listener;
    /** Generation of proposals in which the log was told of the session; 0 for none. */
    private long generation;
    /** Whether nobody can resume it. */
    private boolean isEnded;

    /**
     * @param id       of the session.
     * @param geometry of the shard's sessions.
     */
    public ShardSession(final long id, final SessionGeometry geometry)
    {
        this.id = id;
        this.geometry = geometry;
        window = new RequestWindow(geometry.window());
    }

    /**
     * @return number of the session.
     */
    public long id()
    {
        return id;
    }

    RequestWindow window()
    {
        return window;
    }

    /** Hears of writes over the present queue pair; null if there is none. */
    AppliedListener listener()
    {
        return listener;
    }

    void listener(final AppliedListener present)
    {
        listener = present;
    }

    /** Generation of proposals in which the log was told of the session; 0 for none. */
    long generation()
    {
        return generation;
    }

    void generation(final long value)
    {
        generation = value;
    }

    /** Whether nobody can resume it, so that the log is to be told of its end. */
    boolean isEnded()
    {
        return isEnded;
    }

    void end()
    {
        isEnded = true;
    }

    void revive()
    {
        isEnded = false;
    }

    boolean mayBorrow(final long length)
    {
        return extents.isEmpty() ||
            extents.size() < geometry.credits() && borrowedBytes + length <= geometry.pullLimit();
    }

    void borrow(final long extent, final long length)
    {
        extents.addLong(extent);
        extentLengths.addLong(length);
        borrowedBytes += length;
        borrowCount++;
    }

    /** Number of calls of {@link #borrow}. */
    long borrowCount()
    {
        return borrowCount;
    }

    /** Takes back one loan of an extent; whether it was lent to this session. */
    boolean giveBack(final long extent)
    {
        final int index = extents.indexOf(extent);
        if (index < 0)
        {
            return false;
        }
        extents.removeAt(index);
        borrowedBytes -= extentLengths.removeAt(index);
        return true;
    }

    /** Any extent that is lent to the session, or -1. */
    long anyExtent()
    {
        return extents.isEmpty() ? -1 : extents.getLong(0);
    }
}
