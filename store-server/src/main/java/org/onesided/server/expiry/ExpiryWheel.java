package org.onesided.server.expiry;

import java.util.Arrays;

/**
 * Says which keys to look at and when, so that no record outlives its time for long and none is searched for. A
 * hierarchical timing wheel (Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987) of
 * {@value #LEVELS} levels: a slot of the first is a tick of {@value #TICK_MS} ms, a slot of the others is all of 256
 * slots of the level before.
 *
 * <p>An entry is only a key, and no time: when its slot comes, its {@link Owner} looks at the key's record, and tells
 * when to look again. So a time that is put off costs nothing until the old time comes; a key that is gone, or stays,
 * leaves an entry which is dropped then. <em>For each record that expires there is an entry in the slot of its time or
 * of an earlier one.</em>
 *
 * <p>A slot of a higher level is divided among those below while the slot before it passes, in steps. If entries are a
 * quarter more than the records that expire, all are looked at, in steps, and those of no record are dropped. Takes six
 * bytes per entry. Belongs to the shard's thread.
 */
public final class ExpiryWheel
{
    /** Knows the records. */
    public interface Owner
    {
        /**
         * Removes the records of a key whose time has come.
         *
         * @param key as it was added.
         * @return the earliest time of the key's other records, or 0 if none of them expires.
         */
        long removeExpired(long key);
    }

    /** The wheel looks at a key at most once per level, the last time when its slot of the first level comes. */
    public static final int LEVELS = 4;

    /** Length of a tick in milliseconds: a key is looked at within two of them after its time. */
    static final int TICK_MS = 16;

    private static final int BITS = 8;
    /** Slots of a level: those of two slots of the next one. */
    private static final int SLOTS = 2 << BITS;
    private static final int SLOT_MASK = SLOTS - 1;
    /** Entries beyond those of records that are always fine. */
    private static final long SPARE = 4096;
    private static final int REMEMBERED = 1024;

    private final Owner owner;
    private final KeyChunks chunks = new KeyChunks();
    private final KeyList[] slots = new KeyList[LEVELS * SLOTS];
    private final KeyList sweeping = new KeyList(chunks);
    /** Of each level but the first: the slot that is divided, or was last, counted since 1970. */
    private final long[] divided = new long[LEVELS];
    /** What is left of that slot. */
    private final KeyList[] dividing = new KeyList[LEVELS];
    private final long[] dividedLists = new long[LEVELS];
    /** Keys put into a slot again lately, and the list that each came from: a second one of the list is not needed. */
    private final long[] againKeys = new long[REMEMBERED];
    private final long[] againLists = new long[REMEMBERED];
    /** Lists of keys that were begun: numbers them. */
    private long lists = 1;
    private long dueList = 1;
    private long sweptList;
    /** First tick that is not over. */
    private long tick;
    private long size;
    /** Slot to be swept next. */
    private int sweep;
    private boolean isSweeping;
    private long sizeSwept;

    /**
     * @param owner of the records.
     */
    public ExpiryWheel(final Owner owner)
    {
        this.owner = owner;
        Arrays.setAll(slots, i -> new KeyList(chunks));
        Arrays.setAll(dividing, i -> new KeyList(chunks));
    }

    /**
     * Has a key looked at.
     *
     * @param key    of 48 bits.
     * @param now    time in milliseconds.
     * @param timeMs when to look, in milliseconds.
     */
    public void add(final long key, final long now, final long timeMs)
    {
        if (size == 0)
        {
            begin(now / TICK_MS);
        }
        insert(key, Math.max(tick, timeMs / TICK_MS));
    }

    private void begin(final long first)
    {
        tick = Math.max(tick, first);
        for (int level = 1; level < LEVELS; level++)
        {
            divided[level] = (tick >>> level * BITS) + 1;
        }
    }

    private void insert(final long key, final long at)
    {
        int level = 0;
        while (level < LEVELS - 1 && (at >>> (level + 1) * BITS) - (tick >>> (level + 1) * BITS) > 1)
        {
            level++;
        }
        // Times beyond the last level wait in its last slot, and are looked at then.
        final long last = ((tick >>> LEVELS * BITS) + 2 << LEVELS * BITS) - 1;
        slots[level * SLOTS + (int)(Math.min(at, last) >>> level * BITS & SLOT_MASK)].push(key);
        size++;
    }

    /**
     * Goes on: looks at keys whose time has come, then divides slots of higher levels, then sweeps.
     *
     * @param now      time in milliseconds, never less than before.
     * @param expiring how many records expire.
     * @param budget   keys that each of these may look at.
     * @return how many keys were looked at.
     */
    public int step(final long now, final long expiring, final int budget)
    {
        if (size == 0)
        {
            return 0;
        }
        int count = expire(now / TICK_MS, budget);
        count += divide(budget);
        if (!isSweeping && size > Math.max(expiring + expiring / 4, sizeSwept + sizeSwept / 4) + SPARE)
        {
            // The first level's keys are looked at soon anyway.
            sweep = SLOTS;
            isSweeping = true;
        }
        return isSweeping ? count + sweep(budget) : count;
    }

    private int expire(final long end, final int budget)
    {
        int count = 0;
        while (tick < end && isDividedFor(tick))
        {
            final KeyList due = slots[(int)(tick & SLOT_MASK)];
            while (!due.isEmpty())
            {
                if (count == budget)
                {
                    return count;
                }
                count++;
                look(due.pop(), dueList);
            }
            tick++;
            dueList = ++lists;
        }
        return count;
    }

    private boolean isDividedFor(final long at)
    {
        // Looked at when a slot of the second level begins only.
        if ((at & (1 << BITS) - 1) != 0)
        {
            return true;
        }
        for (int level = 1; level < LEVELS; level++)
        {
            final long needed = at >>> level * BITS;
            if (divided[level] < needed || divided[level] == needed && !dividing[level].isEmpty())
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Divides the next slots that the levels below have room for. Those of lower levels come first, as they are needed
     * sooner.
     */
    private int divide(final int budget)
    {
        int count = 0;
        int level = 1;
        while (level < LEVELS && count < budget)
        {
            if (!dividing[level].isEmpty())
            {
                count++;
                look(dividing[level].pop(), dividedLists[level]);
            }
            else if (divided[level] <= tick >>> level * BITS)
            {
                divided[level]++;
                dividedLists[level] = ++lists;
                dividing[level].takeAll(slots[level * SLOTS + (int)(divided[level] & SLOT_MASK)]);
            }
            else
            {
                level++;
            }
        }
        return count;
    }

    private int sweep(final int budget)
    {
        int count = 0;
        while (count < budget)
        {
            if (!sweeping.isEmpty())
            {
                count++;
                look(sweeping.pop(), sweptList);
            }
            else if (sweep < slots.length)
            {
                sweptList = ++lists;
                sweeping.takeAll(slots[sweep++]);
            }
            else
            {
                isSweeping = false;
                sizeSwept = size;
                break;
            }
        }
        return count;
    }

    /** Looks at a key of a list that no key goes into meanwhile. */
    private void look(final long key, final long list)
    {
        size--;
        final long next = owner.removeExpired(key);
        if (next != 0)
        {
            final int place = (int)(key ^ key >>> Integer.SIZE) & REMEMBERED - 1;
            if (againKeys[place] != key || againLists[place] != list)
            {
                againKeys[place] = key;
                againLists[place] = list;
                insert(key, Math.max(tick, next / TICK_MS));
            }
        }
    }

    /**
     * Tells when {@link #step} has something to do.
     *
     * @param now time in milliseconds.
     * @return that time in milliseconds, not after {@code now} if there is something already; {@link Long#MAX_VALUE} if
     *         there are no keys.
     */
    public long nextStep(final long now)
    {
        if (size == 0)
        {
            return Long.MAX_VALUE;
        }
        if (isSweeping || isBehind())
        {
            return now;
        }
        final long blockEnd = (tick >>> BITS) + 1 << BITS;
        long at = tick;
        while (at < blockEnd && slots[(int)(at & SLOT_MASK)].isEmpty())
        {
            at++;
        }
        return (at == blockEnd ? at : at + 1) * TICK_MS;
    }

    private boolean isBehind()
    {
        for (int level = 1; level < LEVELS; level++)
        {
            if (divided[level] <= tick >>> level * BITS || !dividing[level].isEmpty())
            {
                return true;
            }
        }
        return false;
    }

    /**
     * @return entries, those of keys that expire no more included.
     */
    public long size()
    {
        return size;
    }

    /**
     * @return bytes that the entries take outside the region.
     */
    public long bytes()
    {
        return chunks.bytes();
    }
}
