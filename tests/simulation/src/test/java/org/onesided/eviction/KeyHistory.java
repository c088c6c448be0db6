package org.onesided.eviction;

/**
 * How often keys came of late: sets of 32 entries, each set in the order of last use. An entry has 12 bits of a key's
 * hash and a count of 4 bits.
 */
final class KeyHistory
{
    /** The highest count. */
    static final int LIMIT = 15;

    private static final int ENTRIES_PER_SET = 32;
    private static final int RECORDS_PER_SET = 10;
    private static final int LEAST_SETS = 16;
    private static final int SECOND_CHANCES = 4;
    private static final int PRINT_MASK = 0xfff0;

    private final short[] entries;
    private final int sets;

    KeyHistory(final int records)
    {
        sets = Math.max(LEAST_SETS, records / RECORDS_PER_SET);
        entries = new short[sets * ENTRIES_PER_SET];
    }

    /** Counts a key once more, and returns how often it came. */
    int add(final long keyHash)
    {
        final long hash = Mix.mix(keyHash);
        final int first = first(hash);
        final int found = find(first, hash);
        if (found >= 0)
        {
            final int count = Math.min(LIMIT, (entries[found] & LIMIT) + 1);
            moveToFront(first, found, count);
            return count;
        }
        final int last = first + ENTRIES_PER_SET - 1;
        for (int i = 0; i < SECOND_CHANCES && (entries[last] & LIMIT) > 1; i++)
        {
            moveToFront(first, last, (entries[last] & LIMIT) / 2);
        }
        entries[last] = (short)(hash << 4);
        moveToFront(first, last, 1);
        return 1;
    }

    /** How often a key came, 0 if it is forgotten. */
    int count(final long keyHash)
    {
        final long hash = Mix.mix(keyHash);
        final int found = find(first(hash), hash);
        return found < 0 ? 0 : entries[found] & LIMIT;
    }

    private int first(final long hash)
    {
        return (int)(((hash >>> 32) * sets) >>> 32) * ENTRIES_PER_SET;
    }

    private int find(final int first, final long hash)
    {
        final int print = (int)hash << 4 & PRINT_MASK;
        for (int i = first; i < first + ENTRIES_PER_SET; i++)
        {
            if ((entries[i] & PRINT_MASK) == print && (entries[i] & LIMIT) != 0)
            {
                return i;
            }
        }
        return -1;
    }

    private void moveToFront(final int first, final int from, final int count)
    {
        final short entry = (short)(entries[from] & PRINT_MASK | count);
        System.arraycopy(entries, first, entries, first + 1, from - first);
        entries[first] = entry;
    }
}
