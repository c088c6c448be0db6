package org.onesided.server.table;

import org.agrona.collections.Long2LongHashMap;

/**
 * Values that stay where they are, whatever happens to their keys, while readers READ them. All of such a record stays
 * but check word and version, which tell of its death when another takes its place. Belongs to the shard's thread.
 */
public final class LentValues
{
    private static final long NOT_LENT = -1;

    private final HeapSpace heap;
    /** Table offsets of values, and of their records. */
    private final Long2LongHashMap lentValues = new Long2LongHashMap(NOT_LENT);
    /** How often the value of each record is lent. The record may be lent to others, too. */
    private final Long2LongHashMap counts = new Long2LongHashMap(0);

    LentValues(final HeapSpace heap)
    {
        this.heap = heap;
    }

    /**
     * Keeps a value where it is until as many calls of {@link #release}.
     *
     * @param found by {@link TableLookups#find}, with no write since.
     * @return table offset of the value's bytes.
     */
    public long lend(final FoundRecord found)
    {
        heap.lend(found.recordOffset());
        counts.put(found.recordOffset(), counts.get(found.recordOffset()) + 1);
        lentValues.put(found.valueOffset(), found.recordOffset());
        return found.valueOffset();
    }

    /**
     * Ends what {@link #lend} began.
     *
     * @param value as that returned it.
     * @return whether it was lent.
     */
    public boolean release(final long value)
    {
        final long record = lentValues.get(value);
        if (record == NOT_LENT)
        {
            return false;
        }
        final long count = counts.get(record) - 1;
        if (count > 0)
        {
            counts.put(record, count);
        }
        else
        {
            counts.remove(record);
            lentValues.remove(value);
        }
        heap.giveBack(record);
        return true;
    }
}
