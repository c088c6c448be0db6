package org.onesided.server.shard.proposal;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayQueue;

/**
 * How long the values may become of keys that are on their way through the log. A write that keeps a part of its key's
 * value needs room for a second copy of it, and what the table has of the key says nothing about what comes before that
 * write. Belongs to the shard's thread.
 */
final class ProposedLengths
{
    private static final long NONE = -1;
    /** In place of a key whose length does not matter. */
    private static final long SKIPPED = -2;

    private final LongArrayQueue order = new LongArrayQueue(NONE);
    private final Long2LongHashMap counts = new Long2LongHashMap(0);
    private final Long2LongHashMap longest = new Long2LongHashMap(0);

    /** Keys whose hashes differ in one bit only count as one, which makes values longer than they are at worst. */
    private static long name(final long hash)
    {
        return hash >>> 1;
    }

    /** A request is on its way, and its key's value may become so long, in bytes; 0 if that does not matter. */
    void add(final long hash, final long length)
    {
        if (length == 0)
        {
            order.addLong(SKIPPED);
            return;
        }
        final long name = name(hash);
        order.addLong(name);
        counts.put(name, counts.get(name) + 1);
        longest.put(name, Math.max(longest.get(name), length));
    }

    /** The oldest has arrived. */
    void removeOldest()
    {
        final long name = order.pollLong();
        if (name == NONE || name == SKIPPED)
        {
            return;
        }
        final long left = counts.get(name) - 1;
        if (left == 0)
        {
            counts.remove(name);
            longest.remove(name);
        }
        else
        {
            counts.put(name, left);
        }
    }

    /** Bytes that the value of a key may have before what is proposed next; 0 if no such key is on its way. */
    long longest(final long hash)
    {
        return counts.isEmpty() ? 0 : longest.get(name(hash));
    }

    /** Nothing is on its way. */
    void clear()
    {
        order.clear();
        counts.clear();
        longest.clear();
    }
}
