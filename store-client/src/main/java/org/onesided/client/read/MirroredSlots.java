package org.onesided.client.read;

import org.onesided.client.session.Mirror;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/**
 * Finds in the mirror where a key's record may be. Where the mirror does not know the key's bucket whole, the line of a
 * bucket that it comes of may have the slot word, since splitting changes none. Not thread-safe.
 */
final class MirroredSlots
{
    private final Table table;
    private final Mirror mirror;
    /** Where the slot word found last is. */
    private long line;

    MirroredSlots(final Table table)
    {
        this.table = table;
        mirror = table.mirror();
    }

    /**
     * The slot word that the mirror has for a key, {@link SlotWord#EMPTY} for none; only a guess.
     *
     * @param shard       of the key.
     * @param first       bucket of its chain.
     * @param number      of that bucket in the mirror.
     * @param fingerprint of the key's hash.
     */
    long find(final int shard, final long first, final long number, final int fingerprint)
    {
        final long newest = mirror.lineOf(number);
        // Nearly every key is in its chain's first bucket.
        final long word = newest == Mirror.NONE ? SlotWord.EMPTY : findInLine(newest, fingerprint);
        return word != SlotWord.EMPTY ? word : findElsewhere(shard, first, newest, fingerprint);
    }

    private long findInLine(final long of, final int fingerprint)
    {
        final long word = Mirror.find(of, fingerprint);
        if (word != SlotWord.EMPTY)
        {
            line = of;
        }
        return word;
    }

    private long findElsewhere(final int shard, final long first, final long newest, final int fingerprint)
    {
        final long word = newest == Mirror.NONE ? SlotWord.EMPTY : findBehind(shard, newest, fingerprint);
        return word != SlotWord.EMPTY || Mirror.isWhole(newest) ? word : findOlder(shard, first, fingerprint);
    }

    /** Looks at the lines of the overflow buckets behind a line. */
    private long findBehind(final int shard, final long first, final int fingerprint)
    {
        long before = first;
        for (int hop = 1; hop < BucketDescriptor.MAX_CHAIN_LENGTH; hop++)
        {
            final long index = table.overflowIndex(shard, Mirror.overflow(before));
            final long next = index < 0 ? Mirror.NONE : mirror.lineOf(table.bucketNumber(shard, index));
            if (next == Mirror.NONE)
            {
                return SlotWord.EMPTY;
            }
            final long word = findInLine(next, fingerprint);
            if (word != SlotWord.EMPTY)
            {
                return word;
            }
            before = next;
        }
        return SlotWord.EMPTY;
    }

    private long findInChain(final int shard, final long first, final int fingerprint)
    {
        final long word = findInLine(first, fingerprint);
        return word != SlotWord.EMPTY ? word : findBehind(shard, first, fingerprint);
    }

    /** Looks at the lines of the buckets that a bucket comes of. A word found there goes to the bucket's own line. */
    private long findOlder(final int shard, final long first, final int fingerprint)
    {
        final ShardLayout layout = table.shard(shard);
        final long oldest = table.oldestBucket(shard);
        for (long index = layout.parent(first); index >= oldest; index = layout.parent(index))
        {
            final long older = mirror.lineOf(table.bucketNumber(shard, index));
            final long word = older == Mirror.NONE ? SlotWord.EMPTY : findInChain(shard, older, fingerprint);
            if (word != SlotWord.EMPTY)
            {
                final long own = mirror.adopt(table.bucketNumber(shard, first), word);
                line = own == Mirror.NONE ? line : own;
                return word;
            }
            if (Mirror.isWhole(older))
            {
                return SlotWord.EMPTY;
            }
        }
        return SlotWord.EMPTY;
    }

    /** Puts a newer word in place of the one that was found last. */
    void replace(final long found, final long newer)
    {
        Mirror.replace(line, found, newer);
    }
}
