package org.onesided.server.table;

/**
 * A place at the heap's start that is never handed out for long, and holds one record at a time: one that moves to a
 * place that overlaps its own, or one that replaces a record while the heap is full. Counted in granules. Not
 * thread-safe.
 */
final class HeapReserve
{
    private final long start;
    private final long end;
    private long length;
    private long granules;

    /**
     * @param start  of the place.
     * @param length of what can be used of it now.
     * @param end    behind which it never grows.
     */
    HeapReserve(final long start, final long length, final long end)
    {
        this.start = start;
        this.end = end;
        this.length = length;
    }

    long start()
    {
        return start;
    }

    /** Where other granules begin, however far the place grows. */
    long end()
    {
        return end;
    }

    /** More of the place can be used. */
    void grow(final long newLength)
    {
        length = Math.max(length, newLength);
    }

    /** Granules of the longest record that fits. */
    long length()
    {
        return length;
    }

    /** Granules of the record that it holds, 0 for none. */
    long granules()
    {
        return granules;
    }

    boolean isFree()
    {
        return granules == 0;
    }

    boolean isAt(final long extent)
    {
        return extent == start;
    }

    /** Takes the place for a record. */
    void take(final long recordGranules)
    {
        if (!isFree() || recordGranules > length)
        {
            throw new IllegalStateException("reserve is taken or too short: granules=" + recordGranules);
        }
        granules = recordGranules;
    }

    /** The record has left, and nothing of it. */
    void free()
    {
        granules = 0;
    }
}
