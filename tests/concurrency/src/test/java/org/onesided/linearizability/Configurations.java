package org.onesided.linearizability;

import java.util.Arrays;

/**
 * A set of pairs: which of the pending operations have taken effect, a bit each, and the state after them.
 */
final class Configurations
{
    /** Up to here a search from the first to the last is fastest. */
    private static final int SMALL = 8;

    private long[] masks = new long[SMALL];
    private long[] states = new long[SMALL];
    private int[] table = new int[4 * SMALL];
    private int size;

    int size()
    {
        return size;
    }

    long mask(final int i)
    {
        return masks[i];
    }

    long state(final int i)
    {
        return states[i];
    }

    void clear()
    {
        if (size > SMALL)
        {
            Arrays.fill(table, 0);
        }
        size = 0;
    }

    /** Puts another mask in place of one; only while all masks get the same bits, so that none become equal. */
    void mask(final int i, final long mask)
    {
        masks[i] = mask;
    }

    /** Makes the set findable again after masks were replaced. */
    void rehash()
    {
        if (size > SMALL)
        {
            fillTable();
        }
    }

    boolean contains(final long mask, final long state)
    {
        if (size <= SMALL)
        {
            for (int i = 0; i < size; i++)
            {
                if (masks[i] == mask && states[i] == state)
                {
                    return true;
                }
            }
            return false;
        }
        int at = place(mask, state);
        while (table[at] != 0)
        {
            final int i = table[at] - 1;
            if (masks[i] == mask && states[i] == state)
            {
                return true;
            }
            at = at + 1 & table.length - 1;
        }
        return false;
    }

    /** Whether it was not there. */
    boolean add(final long mask, final long state)
    {
        if (contains(mask, state))
        {
            return false;
        }
        if (size == masks.length)
        {
            masks = Arrays.copyOf(masks, 2 * size);
            states = Arrays.copyOf(states, 2 * size);
        }
        masks[size] = mask;
        states[size] = state;
        size++;
        if (size == SMALL + 1 || 2 * size > table.length)
        {
            fillTable();
        }
        else if (size > SMALL)
        {
            enter(size - 1);
        }
        return true;
    }

    private void fillTable()
    {
        if (2 * size > table.length)
        {
            table = new int[2 * table.length];
        }
        else
        {
            Arrays.fill(table, 0);
        }
        for (int i = 0; i < size; i++)
        {
            enter(i);
        }
    }

    private void enter(final int i)
    {
        int at = place(masks[i], states[i]);
        while (table[at] != 0)
        {
            at = at + 1 & table.length - 1;
        }
        table[at] = i + 1;
    }

    private int place(final long mask, final long state)
    {
        final long hash = (mask * 0x9E37_79B9_7F4A_7C15L ^ state) * 0xBF58_476D_1CE4_E5B9L;
        return (int)(hash >>> 32) & table.length - 1;
    }
}
