package org.onesided.client;

import java.util.Arrays;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Looks many keys up, in groups whose READs are under way together: first those of the buckets that the mirror lacks,
 * then those of the records that it points at. A key that this does not find is looked up by itself, since only a
 * lookup of its own can tell what is absent from what has moved. Not thread-safe.
 */
final class SessionBatchGets
{
    private static final int GROUP = 64;
    private static final int SPACE_LENGTH = 256 * 1024;
    private static final int NOT_READ = -1;

    private final SessionLink link;
    private final SessionGets gets;
    private final Counters counters;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    /** Room for the longest keys of a group. */
    private final UnsafeBuffer keys = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(GROUP * RecordDescriptor.MAX_KEY_LENGTH, Long.BYTES));
    private final int[] keyLengths = new int[GROUP];
    private final long[] hashes = new long[GROUP];
    private final boolean[] isBucketRead = new boolean[GROUP];
    private final long[] slotWords = new long[GROUP];
    /** Where in the space what was READ for a key is, or {@link #NOT_READ}. */
    private final int[] places = new int[GROUP];
    private RegisteredBuffer space;
    /** What was READ came over this one. */
    private Attachment source;

    SessionBatchGets(final SessionLink link, final SessionGets gets)
    {
        this.link = link;
        this.gets = gets;
        this.counters = link.counters();
    }

    /**
     * Gives each key's value to the consumer; for an operation that has begun.
     *
     * @param all keys of lengths that were checked.
     */
    void run(final byte[][] all, final ValueConsumer consumer)
    {
        try
        {
            space = link.takeLarge(SPACE_LENGTH);
        }
        catch (final DeadlinePassedException e)
        {
            throw link.deadlinePassed("deadline passed before others gave room for the values back", WriteFate.NONE);
        }
        try
        {
            for (int first = 0; first < all.length; first += GROUP)
            {
                link.checkDeadline("deadline passed before the values were there", WriteFate.NONE);
                final int size = Math.min(GROUP, all.length - first);
                for (int i = 0; i < size; i++)
                {
                    keyLengths[i] = all[first + i].length;
                    keys.putBytes(keyIndex(i), all[first + i]);
                }
                readAhead(size);
                for (int i = 0; i < size; i++)
                {
                    deliver(i, first + i, consumer);
                }
            }
        }
        finally
        {
            link.giveBack(space);
            space = null;
            source = null;
        }
    }

    private void readAhead(final int size)
    {
        source = link.attached(WriteFate.NONE);
        for (int i = 0; i < size; i++)
        {
            hashes[i] = source.table().hash(keyAddress(i), keyLengths[i]);
            places[i] = NOT_READ;
        }
        try
        {
            readBuckets(size);
            readRecords(size);
            link.succeeded();
        }
        catch (final AttachmentLostException e)
        {
            link.detach(e.getMessage());
            Arrays.fill(places, NOT_READ);
        }
        catch (final DeadlinePassedException e)
        {
            throw link.deadlinePassed("deadline passed before the values were there", WriteFate.NONE);
        }
    }

    private void readBuckets(final int size)
    {
        final Lookup lookup = source.lookup();
        int used = 0;
        for (int shard = 0; shard < source.table().shardCount(); shard++)
        {
            for (int i = 0; i < size; i++)
            {
                if (lookup.shardOf(hashes[i]) == shard)
                {
                    isBucketRead[i] = !lookup.hasMirroredBucket(hashes[i]);
                    if (isBucketRead[i])
                    {
                        lookup.enqueueBucket(hashes[i], space, used);
                        places[i] = used;
                        used += BucketDescriptor.LENGTH;
                    }
                }
            }
        }
        if (used > 0)
        {
            source.reader().complete();
            for (int i = 0; i < size; i++)
            {
                if (isBucketRead[i])
                {
                    lookup.takeBucket(hashes[i], space.addressOf(places[i], BucketDescriptor.LENGTH));
                    places[i] = NOT_READ;
                }
            }
        }
    }

    private void readRecords(final int size)
    {
        final Lookup lookup = source.lookup();
        int used = 0;
        for (int shard = 0; shard < source.table().shardCount(); shard++)
        {
            for (int i = 0; i < size; i++)
            {
                if (lookup.shardOf(hashes[i]) == shard)
                {
                    final long word = lookup.mirroredSlot(hashes[i]);
                    if (word != SlotWord.EMPTY && source.records().enqueue(shard, word, space, used))
                    {
                        slotWords[i] = word;
                        places[i] = used;
                        used += SlotWord.length(word);
                    }
                }
            }
        }
        if (used > 0)
        {
            source.reader().complete();
        }
    }

    private void deliver(final int i, final int index, final ValueConsumer consumer)
    {
        if (places[i] != NOT_READ && isFound(i))
        {
            counters.increment(Counters.HITS);
            if (!isBucketRead[i])
            {
                counters.increment(Counters.MIRROR_HITS);
            }
            view.wrap(source.records().valueAddress(), source.records().valueLength());
            consumer.accept(index, view);
            return;
        }
        link.keySpace().putBytes(0, keys, keyIndex(i), keyLengths[i]);
        link.nextKey(keyLengths[i]);
        final int length = gets.find();
        if (length == SessionGets.ABSENT)
        {
            consumer.accept(index, null);
        }
        else
        {
            view.wrap(gets.valueAddress(), length);
            consumer.accept(index, view);
        }
    }

    private boolean isFound(final int i)
    {
        final int length = SlotWord.length(slotWords[i]);
        final long offset = SlotWord.tableOffset(slotWords[i]);
        return source.records().judge(space.addressOf(places[i], length), length, offset) == RecordReader.LIVE &&
            source.records().hasKey(keyAddress(i), keyLengths[i]);
    }

    private static int keyIndex(final int i)
    {
        return i * RecordDescriptor.MAX_KEY_LENGTH;
    }

    private long keyAddress(final int i)
    {
        return keys.addressOffset() + keyIndex(i);
    }
}
