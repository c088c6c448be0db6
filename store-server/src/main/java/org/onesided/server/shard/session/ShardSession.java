package org.onesided.server.shard.session;

import org.agrona.collections.LongArrayList;
import org.onesided.server.queue.SessionGeometry;

/**
 * A shard's part of a session that outlives its queue pairs: the memory of its requests, and the values lent to it.
 * Belongs to the shard's thread from the first queue pair on that is attached for it.
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

    /**
     * @return the fates of its latest requests.
     */
    public RequestWindow window()
    {
        return window;
    }

    /**
     * @return hears of writes over the present queue pair; null if there is none.
     */
    public AppliedListener listener()
    {
        return listener;
    }

    /**
     * Takes the listener of another queue pair.
     *
     * @param present hears of writes from now on; null if there is no queue pair.
     */
    public void listener(final AppliedListener present)
    {
        listener = present;
    }

    /**
     * @return generation of proposals in which the log was told of the session; 0 for none.
     */
    public long generation()
    {
        return generation;
    }

    /**
     * Remembers that the log was told of the session.
     *
     * @param value generation of proposals in which that was.
     */
    public void generation(final long value)
    {
        generation = value;
    }

    /**
     * @return whether nobody can resume it, so that the log is to be told of its end.
     */
    public boolean isEnded()
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

    /**
     * @param length of a value in bytes.
     * @return whether so much may be lent to the session besides what it has.
     */
    public boolean mayBorrow(final long length)
    {
        return extents.isEmpty() ||
            extents.size() < geometry.credits() && borrowedBytes + length <= geometry.pullLimit();
    }

    /**
     * Lends an extent to the session.
     *
     * @param extent where a value is.
     * @param length of the value in bytes.
     */
    public void borrow(final long extent, final long length)
    {
        extents.addLong(extent);
        extentLengths.addLong(length);
        borrowedBytes += length;
        borrowCount++;
    }

    /**
     * @return number of calls of {@link #borrow}.
     */
    public long borrowCount()
    {
        return borrowCount;
    }

    /**
     * Takes back one loan of an extent.
     *
     * @param extent that may be lent.
     * @return whether it was lent to this session.
     */
    public boolean giveBack(final long extent)
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

    /**
     * @return any extent that is lent to the session, or -1.
     */
    public long anyExtent()
    {
        return extents.isEmpty() ? -1 : extents.getLong(0);
    }
}
